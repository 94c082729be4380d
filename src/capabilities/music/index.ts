import type { Capability } from '../../graphql/capability.ts';
import type { TaskKind } from '../../tasks/task-kinds.ts';
import { fetchSongs } from './client.ts';
import { musicOperations } from './operations.ts';
import { addMusic } from './schema.ts';
import { songListOutput } from './types.ts';
import { songLimits, songCoverLimits, songSpeedLimits } from './limits.ts';

/** All kinds are read in one request together. */
const submitted: TaskKind = { batch: 'music', readMany: fetchSongs };

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
  operations: musicOperations,
  extend: addMusic,
};
