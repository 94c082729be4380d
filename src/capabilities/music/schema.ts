import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { toBody } from '../../generations/wire-names.ts';
import { createTask } from '../../tasks/create-task.ts';
import {
  adjustSpeedPath,
  songCoverModel,
  songNames,
  songSpeedNames,
  submitMusicPath,
  toSongCoverBody,
} from './client.ts';
import { adjustSongSpeedInput, createSongCoverInput, createSongInput } from './inputs.ts';
import { songCoverLimits, songLimits, songSpeedLimits } from './limits.ts';
import { decodeSpeedReply, decodeSpeedTask, decodeSubmission } from './wire.ts';

export function addMusic(graph: Graph): void {
  addCreate(graph, 'createSong', {
    description: 'Creates a song from a description, not from lyrics.',
    input: createSongInput,
    create: createTask({
      kind: 'SONG',
      limits: songLimits,
      model: ({ model }) => model,
      prompt: ({ description }) => description,
      path: submitMusicPath,
      toBody: (input) => toBody(songNames, input, { make_instrumental: input.isInstrumental ?? false }),
      decode: decodeSubmission,
    }),
  });
  addCreate(graph, 'createSongCover', {
    description: 'Creates a cover of an existing song.',
    input: createSongCoverInput,
    create: createTask({
      kind: 'SONG_COVER',
      limits: songCoverLimits,
      model: songCoverModel,
      prompt: ({ lyrics }) => lyrics ?? undefined,
      path: submitMusicPath,
      toBody: toSongCoverBody,
      decode: decodeSubmission,
    }),
  });
  addCreate(graph, 'adjustSongSpeed', {
    description:
      'Changes the speed of an existing song, for 0 credits, usually without a task. `songs` is empty if the reply has no recognizable song: see `raw`.',
    input: adjustSongSpeedInput,
    create: createTask({
      kind: 'SONG_SPEED',
      limits: songSpeedLimits,
      path: adjustSpeedPath,
      toBody: (input) => toBody(songSpeedNames, input),
      decode: decodeSpeedTask,
      decodeResult: decodeSpeedReply,
    }),
  });
}
