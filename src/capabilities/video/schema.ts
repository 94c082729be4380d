import type { Asset } from '../../generations/asset.ts';
import { AssetRef } from '../../graphql/asset.ts';
import { builder } from '../../graphql/builder.ts';
import { createArguments, CreateGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { registerOutput } from '../../graphql/generation-output.ts';
import { registerTaskKind } from '../../tasks/task-kinds.ts';
import {
  readLipSync,
  readMultiImageVideo,
  referenceVideoPath,
  toReferenceVideoBody,
  toTransitionVideoBody,
  toVideoBody,
  transitionVideoPath,
  videoPath,
} from './client.ts';
import { CreateReferenceVideoInput, CreateTransitionVideoInput, CreateVideoInput } from './inputs.ts';
import { referenceVideoLimits, transitionVideoLimits, videoLimits } from './limits.ts';
import {
  decodeTransitionAcknowledgement,
  decodeTransitionVideo,
  decodeVideo,
  decodeVideoAcknowledgement,
  isVideoRefusal,
  type Video,
} from './wire.ts';

registerTaskKind({ kind: 'VIDEO', decode: (reply) => decodeVideo(reply), isRefusal: isVideoRefusal });
registerTaskKind({
  kind: 'REFERENCE_VIDEO',
  decode: (reply) => decodeVideo(reply),
  isRefusal: isVideoRefusal,
});
registerTaskKind({
  kind: 'TRANSITION_VIDEO',
  decode: decodeTransitionVideo,
  isRefusal: isVideoRefusal,
  form: 'api-key-header',
});
registerTaskKind({ kind: 'MULTI_IMAGE_VIDEO', readOne: readMultiImageVideo });
registerTaskKind({ kind: 'LIP_SYNC', readOne: readLipSync });

const VideoRef = builder.objectRef<Video>('Video').implement({
  description: 'What a video create made: one video as a rule.',
  fields: (t) => ({
    url: t.field({
      type: 'URL',
      nullable: true,
      description: 'Address of the video; the first where there are several.',
      resolve: ({ files }) => files[0]?.url,
    }),
    durationSeconds: t.float({
      nullable: true,
      description: 'Its playing time in seconds, as reported.',
      resolve: ({ files }) => files[0]?.durationSeconds,
    }),
    thumbnailUrl: t.expose('thumbnailUrl', {
      type: 'URL',
      nullable: true,
      description: 'Address of a still image of it, where the gateway gives one.',
    }),
    files: t.field({
      type: [AssetRef],
      description: 'All videos, in the order of the gateway.',
      resolve: ({ files }) => [...files],
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that made it, as the gateway names it.',
    }),
    prompt: t.exposeString('prompt', { nullable: true, description: 'The prompt as it was used.' }),
    seed: t.expose('seed', { type: 'BigInt', nullable: true, description: 'The seed that was used.' }),
  }),
});

function videoAssets({ files, thumbnailUrl }: Video): readonly Asset[] {
  return thumbnailUrl === undefined ? files : [...files, { kind: 'IMAGE', url: thumbnailUrl }];
}

registerOutput({ type: 'video', ref: VideoRef, assets: videoAssets });

const untracked =
  'The gateway documents no way to ask for it: its task is NOT_TRACKABLE, unless the operator has named one (GATEWAY_TASK_PATHS).';

builder.mutationFields((t) => ({
  createVideo: t.field({
    type: CreateGenerationResultRef,
    description: `Makes a video from images, or with a character (POST /v1/video/create). ${untracked}`,
    args: {
      input: t.arg({ type: CreateVideoInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) => {
      const told = input.images ?? input.character;
      return createTask(toCreateCall(args, context, info), {
        kind: 'VIDEO',
        input,
        limits: videoLimits,
        model: told?.model,
        prompt: told?.prompt,
        path: videoPath,
        toBody: toVideoBody,
        decode: decodeVideoAcknowledgement,
        isRefusal: isVideoRefusal,
      });
    },
  }),
  createReferenceVideo: t.field({
    type: CreateGenerationResultRef,
    description: `Makes a video from a prompt, by one image or several reference images where given (POST /v1/videos/generations). ${untracked}`,
    args: {
      input: t.arg({ type: CreateReferenceVideoInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(toCreateCall(args, context, info), {
        kind: 'REFERENCE_VIDEO',
        input,
        limits: referenceVideoLimits,
        model: input.model,
        prompt: input.prompt,
        path: referenceVideoPath,
        toBody: toReferenceVideoBody,
        decode: decodeVideoAcknowledgement,
        isRefusal: isVideoRefusal,
      }),
  }),
  createTransitionVideo: t.field({
    type: CreateGenerationResultRef,
    description: `Makes a video that goes from picture to picture (POST /openapi/v2/video/multi_transition/generate; the credential goes out as API-KEY). ${untracked}`,
    args: {
      input: t.arg({ type: CreateTransitionVideoInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(toCreateCall(args, context, info), {
        kind: 'TRANSITION_VIDEO',
        input,
        limits: transitionVideoLimits,
        model: input.model,
        prompt: input.multiTransition.flatMap(({ prompt }) => prompt ?? []).join(' → ') || undefined,
        path: transitionVideoPath,
        toBody: toTransitionVideoBody,
        decode: decodeTransitionAcknowledgement,
        isRefusal: isVideoRefusal,
        form: 'api-key-header',
      }),
  }),
}));
