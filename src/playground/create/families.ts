import type { GenerateField, GenerationView } from '@gengraph/client';
import type { GenerationKind } from '@gengraph/client/documents';

/** `about`: what it makes, for somebody who has never seen it. */
type Row = readonly [GenerationKind, group: string, title: string, about: string];

/** Every create but chats, in the order in which a visitor tries them. */
const rows: Readonly<Record<GenerateField, Row>> = {
  createImage: ['IMAGE', 'Pictures', 'Picture', 'One or several pictures from a prompt.'],
  queueImage: ['QUEUED_IMAGE', 'Pictures', 'Queued picture', 'A picture from a queue, with its place.'],
  queueInpainting: ['QUEUED_INPAINTING', 'Pictures', 'Inpainting', 'Paints a part of a picture anew.'],
  fillImage: ['IMAGE_FILL', 'Pictures', 'Fill', 'Fills or extends a picture.'],
  createSong: ['SONG', 'Sound', 'Song', 'Two songs with a cover each, from a description.'],
  createSongCover: ['SONG_COVER', 'Sound', 'Song cover', 'Another singer or style for a clip that you made.'],
  adjustSongSpeed: ['SONG_SPEED', 'Sound', 'Song speed', 'A clip that you made, faster or slower.'],
  createSpeech: ['SPEECH', 'Sound', 'Speech', 'A voice that speaks your text.'],
  createVideo: ['VIDEO', 'Films', 'Video', 'A video from pictures, or with a character.'],
  createAnimation: ['ANIMATION', 'Films', 'Animation', 'A short loop from one prompt into the next.'],
  createReferenceVideo: ['REFERENCE_VIDEO', 'Films', 'Reference video', 'A video from text and pictures.'],
  createTransitionVideo: ['TRANSITION_VIDEO', 'Films', 'Transition', 'A video through 2 to 7 pictures.'],
  generateContent: ['CONTENT', 'Text', 'Native content', 'A reply of a model in its native form.'],
};

export type Family = (typeof families)[number];
export const families = Object.entries(rows).map(([field, [kind, group, title, about]]) => {
  return { field: field as GenerateField, kind, group, title, about }; // The keys of the record.
});

/** What people call each kind. */
export const kindTitles: ReadonlyMap<string, string> = new Map([
  ['CHAT', 'Chat'],
  ...families.map(({ kind, title }): [string, string] => [kind, title]),
]);

/** What a generation is called. */
export function titleOf({ prompt, kind }: Pick<GenerationView, 'prompt' | 'kind'>): string {
  return prompt || (kindTitles.get(kind ?? '') ?? 'Generation');
}

/** `createImage` takes a `CreateImageInput`. */
export function inputTypeOf(field: GenerateField): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
}
