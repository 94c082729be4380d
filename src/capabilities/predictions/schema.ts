import { AssetRef } from '../../graphql/asset.ts';
import { builder } from '../../graphql/builder.ts';
import { createArguments, CreateGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { registerOutput } from '../../graphql/generation-output.ts';
import { registerTaskKind } from '../../tasks/task-kinds.ts';
import {
  fillImagePath,
  hasReadableAddress,
  predictionsPath,
  readPrediction,
  toAnimationBody,
  toFillImageBody,
} from './client.ts';
import { CreateAnimationInput, FillImageInput } from './inputs.ts';
import { animationLimits, fillImageLimits } from './limits.ts';
import { decodePrediction, decodePredictionAcknowledgement, type PredictionOutput } from './wire.ts';

for (const kind of ['ANIMATION', 'IMAGE_FILL'] as const) {
  registerTaskKind({
    kind,
    decode: decodePrediction,
    readOne: readPrediction,
    isReadable: hasReadableAddress,
    cancelMethod: 'POST',
  });
}

const PredictionOutputRef = builder.objectRef<PredictionOutput>('PredictionOutput').implement({
  description: 'What a hosted model (/hosta) made.',
  fields: (t) => ({
    model: t.exposeString('model', { nullable: true, description: 'The model that ran.' }),
    version: t.exposeString('version', {
      nullable: true,
      description: "The model's version; may be the word `hidden`.",
    }),
    dataRemoved: t.exposeBoolean('dataRemoved', {
      nullable: true,
      description: 'Whether the gateway has deleted input and output. Wire name `data_removed`.',
    }),
    files: t.field({
      type: [AssetRef],
      description: 'The files in the output, wherever in it they stand: by address, or inline.',
      resolve: ({ files }) => [...files],
    }),
    value: t.expose('value', {
      type: 'JSON',
      nullable: true,
      description: 'The output as received, whatever its form.',
    }),
  }),
});

registerOutput({ type: 'prediction-output', ref: PredictionOutputRef, assets: ({ files }) => files });

builder.mutationFields((t) => ({
  createAnimation: t.field({
    type: CreateGenerationResultRef,
    description:
      'Animates from one prompt to another (POST /hosta/v1/predictions). Follow its task with `taskProgress`.',
    args: {
      input: t.arg({ type: CreateAnimationInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(toCreateCall(args, context, info), {
        kind: 'ANIMATION',
        input,
        limits: animationLimits,
        model: input.version,
        prompt: `${input.promptStart} → ${input.promptEnd}`,
        path: predictionsPath,
        toBody: toAnimationBody,
        decode: decodePredictionAcknowledgement,
      }),
  }),
  fillImage: t.field({
    type: CreateGenerationResultRef,
    description:
      "Paints an image's masked part, or its surroundings, anew (POST /hosta/v1/models/{owner}/{model_name}/predictions). Follow its task with `taskProgress`.",
    args: {
      input: t.arg({ type: FillImageInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(toCreateCall(args, context, info), {
        kind: 'IMAGE_FILL',
        input,
        limits: fillImageLimits,
        model: `${input.owner}/${input.modelName}`,
        prompt: input.prompt,
        path: fillImagePath,
        toBody: toFillImageBody,
        decode: decodePredictionAcknowledgement,
      }),
  }),
}));
