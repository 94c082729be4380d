import { sizeOfValue } from '../../lib/json-size.ts';

/** Plain data from which a worker thread renders a medium, again if it was evicted. */
export type Recipe =
  | PictureRecipe
  | RepaintRecipe
  | AnimationRecipe
  | SongRecipe
  | SongVideoRecipe
  | SpeechRecipe;

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif';

interface Canvas {
  readonly prompt: string;
  readonly seed: string;
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
  /** A black image, as a safety checker leaves. */
  readonly isBlack?: boolean;
}

export interface PictureRecipe extends Canvas {
  readonly kind: 'picture';
  /** Whether it says at its lower right that it was generated. */
  readonly isMarked?: boolean;
}

/** A picture with a repainted part. */
export interface RepaintRecipe extends Canvas {
  readonly kind: 'repaint';
  /** Undefined if the image is on another host: the sandbox draws a substitute. */
  readonly image: Uint8Array | undefined;
  /** White is repainted, black is kept. `alpha`: the transparent part of the image. `unseen`: a mask on another host. */
  readonly mask: Uint8Array | 'alpha' | 'unseen';
  /** How far each side moves outwards, as parts of the image's width and height. */
  readonly outpaint?: Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;
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
  /** From 0 (steady) to 1 (jumpy). */
  readonly variation: number;
  readonly format: 'gif' | 'mp4';
}

/** A song, and how it is played. */
export interface SongRecipe {
  readonly kind: 'song';
  readonly seed: string;
  readonly style: string;
  /** The seed of the notes: a cover has the notes of another song. */
  readonly notesFrom: string;
  readonly isInstrumental: boolean;
  /** 1 as composed. */
  readonly tempo: number;
  /** Ratio of frequencies; 1 as composed. */
  readonly pitch: number;
}

export interface SongVideoRecipe {
  readonly kind: 'song-video';
  readonly song: SongRecipe;
  readonly title: string;
}

export interface SpeechRecipe {
  readonly kind: 'speech';
  /** Texts, and between two of them a pause in seconds. */
  readonly parts: readonly (string | number)[];
  /** The middle pitch of the voice. */
  readonly hertz: number;
  readonly speed: number;
  /** From 0 (normal) to 1. */
  readonly loudness: number;
  readonly emotion: 'happy' | 'sad' | 'angry' | 'fearful' | 'disgusted' | 'surprised' | 'calm';
  /** Whether beeps at the end mark the speech as generated. */
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

/** Approximate memory that a recipe holds. */
export function sizeOfRecipe(recipe: Recipe): number {
  if (recipe.kind !== 'repaint') return 1024 + sizeOfValue(recipe, Infinity);
  const { image, mask, prompt } = recipe;
  return 1024 + (image?.length ?? 0) + mask.length + prompt.length;
}
