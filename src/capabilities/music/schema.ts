import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import {
  adjustSpeedPath,
  songCoverModel,
  submitMusicPath,
  toSongBody,
  toSongCoverBody,
  toSpeedBody,
} from './client.ts';
import { adjustSongSpeedInput, createSongCoverInput, createSongInput } from './inputs.ts';
import { songCoverLimits, songLimits, songSpeedLimits } from './limits.ts';
import { decodeSpeedReply, decodeSpeedTask, decodeSubmission } from './wire.ts';

export function addMusic(graph: Graph): void {
  addCreate(graph, 'createSong', {
    description: 'Creates a song from a description, not from lyrics.',
    input: createSongInput,
    create: (call, input) =>
      createTask(call, {
        kind: 'SONG',
        input,
        limits: songLimits,
        model: input.model,
        prompt: input.description,
        path: submitMusicPath,
        toBody: toSongBody,
        decode: decodeSubmission,
      }),
  });
  addCreate(graph, 'createSongCover', {
    description: 'Creates a cover of an existing song.',
    input: createSongCoverInput,
    create: (call, input) =>
      createTask(call, {
        kind: 'SONG_COVER',
        input,
        limits: songCoverLimits,
        model: songCoverModel(input),
        prompt: input.lyrics ?? undefined,
        path: submitMusicPath,
        toBody: toSongCoverBody,
        decode: decodeSubmission,
      }),
  });
  addCreate(graph, 'adjustSongSpeed', {
    description:
      'Changes the speed of an existing song, for 0 credits, usually without a task. `songs` is empty if the reply has no recognizable song: see `raw`.',
    input: adjustSongSpeedInput,
    create: (call, input) =>
      createTask(call, {
        kind: 'SONG_SPEED',
        input,
        limits: songSpeedLimits,
        path: adjustSpeedPath,
        toBody: toSpeedBody,
        decode: decodeSpeedTask,
        decodeResult: decodeSpeedReply,
      }),
  });
}
