import { AssetRef } from '../../graphql/asset.ts';
import { builder } from '../../graphql/builder.ts';
import { createArguments, CreateGenerationResultRef } from '../../graphql/create.ts';
import { createTask } from '../../graphql/create-task.ts';
import { registerOutput } from '../../graphql/generation-output.ts';
import { registerTaskKind } from '../../tasks/task-kinds.ts';
import { hasReadableAddress, predictionsPath, readPrediction, toAnimationBody } from './client.ts';
import { CreateAnimationInput } from './inputs.ts';
import { animationLimits } from './limits.ts';
import { decodePrediction, decodePredictionAcknowledgement, type PredictionOutput } from './wire.ts';

registerTaskKind({
  kind: 'ANIMATION',
  decode: decodePrediction,
  readOne: readPrediction,
  isReadable: hasReadableAddress,
  cancelMethod: 'POST',
});

const PredictionOutputRef = builder.objectRef<PredictionOutput>('PredictionOutput').implement({
  description: 'What a hosted model made.',
  fields: (t) => ({
    model: t.exposeString('model', { nullable: true, description: 'The model that ran.' }),
    version: t.exposeString('version', {
      nullable: true,
      description: 'Its version; may be the word `hidden`.',
    }),
    dataRemoved: t.exposeBoolean('dataRemoved', {
      nullable: true,
      description: 'Whether the gateway has deleted input and output. Wire name `data_removed`.',
    }),
    files: t.field({
      type: [AssetRef],
      description: 'The files among the output.',
      resolve: ({ files }) => [...files],
    }),
    value: t.expose('value', { type: 'JSON', nullable: true, description: 'The output as received.' }),
  }),
});

registerOutput({ type: 'prediction-output', ref: PredictionOutputRef, assets: ({ files }) => files });

builder.mutationField('createAnimation', (t) =>
  t.field({
    type: CreateGenerationResultRef,
    description: 'Animates from one prompt to another (POST /hosta/v1/predictions). Follow its task.',
    args: {
      input: t.arg({ type: CreateAnimationInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(
        { args, context, info },
        {
          kind: 'ANIMATION',
          input,
          limits: animationLimits,
          model: input.version,
          prompt: `${input.promptStart} → ${input.promptEnd}`,
          path: predictionsPath,
          toBody: toAnimationBody,
          decode: decodePredictionAcknowledgement,
        },
      ),
  }),
);
