import type { Graph } from '../../graphql/graph.ts';
import { createArguments, createGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
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
import { decodeSpeedReply, decodeSpeedTask, decodeSubmission, isSpeedRefusal } from './wire.ts';

export function addMusic({ builder, use }: Graph): void {
  builder.mutationFields((t) => ({
    createSong: t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Creates a song from a description, not from lyrics.',
      args: {
        input: t.arg({ type: use(createSongInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createTask(toCreateCall(args, context, info), {
          kind: 'SONG',
          input,
          limits: songLimits,
          model: input.model,
          prompt: input.description,
          path: submitMusicPath,
          toBody: toSongBody,
          decode: decodeSubmission,
        }),
    }),
    createSongCover: t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Creates a cover of an existing song.',
      args: {
        input: t.arg({ type: use(createSongCoverInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createTask(toCreateCall(args, context, info), {
          kind: 'SONG_COVER',
          input,
          limits: songCoverLimits,
          model: songCoverModel(input),
          prompt: input.lyrics ?? undefined,
          path: submitMusicPath,
          toBody: toSongCoverBody,
          decode: decodeSubmission,
        }),
    }),
    adjustSongSpeed: t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description:
        'Changes the speed of an existing song, for 0 credits, usually without a task. `songs` is empty if the reply has no recognizable song: see `raw`.',
      args: {
        input: t.arg({ type: use(adjustSongSpeedInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createTask(toCreateCall(args, context, info), {
          kind: 'SONG_SPEED',
          input,
          limits: songSpeedLimits,
          path: adjustSpeedPath,
          toBody: toSpeedBody,
          decode: decodeSpeedTask,
          decodeResult: decodeSpeedReply,
          isRefusal: isSpeedRefusal,
        }),
    }),
  }));
}
