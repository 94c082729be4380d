import type { GenerateField } from '@gengraph/client';

export interface Family {
  readonly field: GenerateField;
  readonly title: string;
  /** What it makes, for somebody who has never seen it. */
  readonly about: string;
}

/** Every create but chats, in the order in which a visitor tries them. */
export const families: readonly Family[] = [
  { field: 'createImage', title: 'Picture', about: 'One or several pictures from a prompt.' },
  {
    field: 'createSong',
    title: 'Song',
    about: 'Two songs with a cover each, from a description or from your lyrics.',
  },
  { field: 'createSpeech', title: 'Speech', about: 'A voice that speaks your text.' },
  { field: 'createVideo', title: 'Video', about: 'A video from pictures, or with a character.' },
  {
    field: 'createAnimation',
    title: 'Animation',
    about: 'A short loop that turns from one prompt into the next.',
  },
  { field: 'queueImage', title: 'Queued picture', about: 'A picture from the queue, with its place in it.' },
  { field: 'queueInpainting', title: 'Inpainting', about: 'Paints a part of a picture anew.' },
  { field: 'fillImage', title: 'Fill', about: 'Fills or extends a picture.' },
  {
    field: 'createReferenceVideo',
    title: 'Reference video',
    about: 'A video from a prompt, a picture or reference pictures.',
  },
  {
    field: 'createTransitionVideo',
    title: 'Transition video',
    about: 'A video that moves through 2 to 7 pictures.',
  },
  {
    field: 'createSongCover',
    title: 'Song cover',
    about: 'Another singer or style for a clip that you made.',
  },
  { field: 'adjustSongSpeed', title: 'Song speed', about: 'A clip that you made, faster or slower.' },
  { field: 'generateContent', title: 'Native content', about: 'A reply of a model in its native form.' },
];

/** `createImage` takes a `CreateImageInput`. */
export function inputTypeOf(field: GenerateField): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
}
