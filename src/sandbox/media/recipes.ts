/** How a medium is made: plain data, so that it can be handed to a thread and made again at any time. */
export type Recipe =
  | PictureRecipe
  | RepaintRecipe
  | AnimationRecipe
  | SongRecipe
  | SongVideoRecipe
  | SpeechRecipe;

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface PictureRecipe {
  readonly kind: 'picture';
  readonly prompt: string;
  readonly seed: string;
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
  /** Nothing but black, as where a safety checker objects. */
  readonly isBlack?: boolean;
  /** Whether it says at its lower right that it was generated. */
  readonly isMarked?: boolean;
}

/** A picture of which a part is painted anew. */
export interface RepaintRecipe {
  readonly kind: 'repaint';
  readonly prompt: string;
  readonly seed: string;
  readonly format: PictureFormat;
  /** Undefined for a picture that cannot be seen from here: another stands in for it. */
  readonly image: Uint8Array | undefined;
  readonly width: number;
  readonly height: number;
  /** White is painted anew, black is kept; or where the image is transparent; or of a mask that cannot be seen. */
  readonly mask: Uint8Array | 'alpha' | 'unseen';
  readonly isBlack?: boolean;
  /** How far each side moves outwards, as parts of the image's own width and height. */
  readonly outpaint?: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
}

export interface AnimationRecipe {
  readonly kind: 'animation';
  readonly promptStart: string;
  readonly promptsEnd: readonly string[];
  readonly seed: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly framesPerSecond: number;
  readonly isPingPong: boolean;
  /** From 0, steady, to 1, jumpy. */
  readonly variation: number;
  readonly format: 'gif' | 'mp4';
}

/** A tune, as it was composed and how it is played. */
export interface SongRecipe {
  readonly kind: 'song';
  readonly seed: string;
  readonly style: string;
  /** A cover has the notes of another song in a style of its own. */
  readonly notesFrom: string;
  readonly isInstrumental: boolean;
  /** How much faster than composed. */
  readonly tempo: number;
  /** How much higher than composed, as a ratio of frequencies. */
  readonly pitch: number;
}

export interface SongVideoRecipe {
  readonly kind: 'song-video';
  readonly song: SongRecipe;
  readonly title: string;
}

/** Somebody speaking. */
export interface SpeechRecipe {
  readonly kind: 'speech';
  /** Texts, and between two of them a pause in seconds. */
  readonly parts: readonly (string | number)[];
  /** The middle pitch of the voice. */
  readonly hertz: number;
  readonly speed: number;
  /** From 0, normal, to 1. */
  readonly loudness: number;
  readonly emotion: 'happy' | 'sad' | 'angry' | 'fearful' | 'disgusted' | 'surprised' | 'calm';
  /** Whether a rhythm of beeps at the end tells that nobody really spoke. */
  readonly isMarked: boolean;
}

export interface FileType {
  readonly extension: string;
  readonly contentType: string;
}

const pictureTypes: Readonly<Record<PictureFormat, FileType>> = {
  jpeg: { extension: 'jpg', contentType: 'image/jpeg' },
  png: { extension: 'png', contentType: 'image/png' },
  webp: { extension: 'webp', contentType: 'image/webp' },
  gif: { extension: 'gif', contentType: 'image/gif' },
};
const mp4: FileType = { extension: 'mp4', contentType: 'video/mp4' };

export function toFileType(recipe: Recipe): FileType {
  switch (recipe.kind) {
    case 'picture':
    case 'repaint':
      return pictureTypes[recipe.format];
    case 'animation':
      return recipe.format === 'gif' ? pictureTypes.gif : mp4;
    case 'song':
    case 'speech':
      return { extension: 'mp3', contentType: 'audio/mpeg' };
    case 'song-video':
      return mp4;
    default:
      return recipe satisfies never;
  }
}

/** About how much memory a recipe holds. */
export function sizeOfRecipe(recipe: Recipe): number {
  const inline = recipe.kind === 'repaint' ? (recipe.image?.length ?? 0) + recipe.mask.length : 0;
  const spoken = recipe.kind === 'speech' ? recipe.parts.join('').length : 0;
  return 1024 + inline + spoken;
}
