import type { Graph } from '../../graphql/graph.ts';
import { createArguments, createGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { fillImagePath, predictionsPath, toAnimationBody, toFillImageBody } from './client.ts';
import { createAnimationInput, fillImageInput } from './inputs.ts';
import { animationLimits, fillImageLimits } from './limits.ts';
import { decodePredictionAcknowledgement } from './wire.ts';

export function addPredictions({ builder, use }: Graph): void {
  builder.mutationFields((t) => ({
    createAnimation: t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Creates an animation between two prompts.',
      args: {
        input: t.arg({ type: use(createAnimationInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createTask(toCreateCall(args, context, info), {
          kind: 'ANIMATION',
          input,
          limits: animationLimits,
          model: input.modelVersion,
          prompt: `${input.promptStart} → ${input.promptEnd}`,
          path: predictionsPath,
          toBody: toAnimationBody,
          decode: decodePredictionAcknowledgement,
        }),
    }),
    fillImage: t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Fills in the masked area of an image, or extends the image.',
      args: {
        input: t.arg({ type: use(fillImageInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createTask(toCreateCall(args, context, info), {
          kind: 'IMAGE_FILL',
          input,
          limits: fillImageLimits,
          model: `${input.modelOwner}/${input.modelName}`,
          prompt: input.prompt,
          path: fillImagePath,
          toBody: toFillImageBody,
          decode: decodePredictionAcknowledgement,
        }),
    }),
  }));
}
