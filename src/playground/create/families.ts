import type { GenerateField } from '@gengraph/client';
import type { GenerationKind } from '@gengraph/client/documents';

export interface Family {
  readonly field: GenerateField;
  readonly kind: GenerationKind;
  readonly group: string;
  readonly title: string;
  /** What it makes, for somebody who has never seen it. */
  readonly about: string;
}

type Row = readonly [GenerateField, GenerationKind, title: string, about: string];

const groups: Readonly<Record<string, readonly Row[]>> = {
  Pictures: [
    ['createImage', 'IMAGE', 'Picture', 'One or several pictures from a prompt.'],
    ['queueImage', 'QUEUED_IMAGE', 'Queued picture', 'A picture from the queue, with its place in it.'],
    ['queueInpainting', 'QUEUED_INPAINTING', 'Inpainting', 'Paints a part of a picture anew.'],
    ['fillImage', 'IMAGE_FILL', 'Fill', 'Fills or extends a picture.'],
  ],
  Sound: [
    ['createSong', 'SONG', 'Song', 'Two songs with a cover each, from a description.'],
    ['createSongCover', 'SONG_COVER', 'Song cover', 'Another singer or style for a clip that you made.'],
    ['adjustSongSpeed', 'SONG_SPEED', 'Song speed', 'A clip that you made, faster or slower.'],
    ['createSpeech', 'SPEECH', 'Speech', 'A voice that speaks your text.'],
  ],
  Films: [
    ['createVideo', 'VIDEO', 'Video', 'A video from pictures, or with a character.'],
    ['createAnimation', 'ANIMATION', 'Animation', 'A short loop from one prompt into the next.'],
    ['createReferenceVideo', 'REFERENCE_VIDEO', 'Reference video', 'A video from a prompt and pictures.'],
    [
      'createTransitionVideo',
      'TRANSITION_VIDEO',
      'Transition',
      'A video that moves through 2 to 7 pictures.',
    ],
  ],
  Text: [['generateContent', 'CONTENT', 'Native content', 'A reply of a model in its native form.']],
};

/** Every create but chats, in the order in which a visitor tries them. */
export const families: readonly Family[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map(([field, kind, title, about]) => ({ field, kind, group, title, about })),
);

/** What people call each kind. */
export const kindTitles: ReadonlyMap<string, string> = new Map([
  ['CHAT', 'Chat'],
  ...families.map(({ kind, title }): [string, string] => [kind, title]),
]);

/** `createImage` takes a `CreateImageInput`. */
export function inputTypeOf(field: GenerateField): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
}
