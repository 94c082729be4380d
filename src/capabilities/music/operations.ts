import type { ExampleOperation } from '../../graphql/capability.ts';

/** A clip that exists in every sandbox. */
const aClipId = '5a0d0000-0000-4000-8000-000000000001';
const song = {
  description: 'A slow sea shanty about a lighthouse, with an accordion.',
  model: 'SONG_V5',
};
const cover = { clipId: aClipId, isInstrumental: true, style: 'piano, calm', title: 'The lamp' };
const speed = { clipId: aClipId, speed: 1.5, keepPitch: true };

export const musicOperations: readonly ExampleOperation[] = [
  { name: 'create-song', variables: { input: song } },
  { name: 'create-song-cover', variables: { input: cover } },
  { name: 'adjust-song-speed', variables: { input: speed } },
];
