import type { Capability } from '../../graphql/capability.ts';
import type { TaskKind } from '../../tasks/task-kinds.ts';
import { fetchSongs } from './client.ts';
import { addMusic } from './schema.ts';
import { songListOutput } from './types.ts';
import { songLimits, songCoverLimits, songSpeedLimits } from './limits.ts';

/** All kinds are read in one request together. */
const submitted: TaskKind = { batch: 'music', readMany: fetchSongs };

/** A clip that exists in every sandbox. */
const aClipId = '5a0d0000-0000-4000-8000-000000000001';
const song = {
  description: 'A slow sea shanty about a lighthouse, with an accordion.',
  model: 'SONG_V5',
};
const cover = { clipId: aClipId, isInstrumental: true, style: 'piano, calm', title: 'The lamp' };
const speed = { clipId: aClipId, speed: 1.5, keepPitch: true };

export const music: Capability = {
  name: 'music',
  kinds: {
    SONG: { description: 'Song.', output: songListOutput, task: submitted },
    SONG_COVER: { description: 'Song cover.', output: songListOutput, task: submitted },
    SONG_SPEED: {
      description: 'An existing song at another speed. Usually without a task.',
      output: songListOutput,
      task: submitted,
    },
  },
  inputs: {
    CreateSongInput: songLimits,
    CreateSongCoverInput: songCoverLimits,
    AdjustSongSpeedInput: songSpeedLimits,
  },
  operations: [
    { name: 'create-song', variables: { input: song } },
    { name: 'create-song-cover', variables: { input: cover } },
    { name: 'adjust-song-speed', variables: { input: speed } },
  ],
  extend: addMusic,
};
