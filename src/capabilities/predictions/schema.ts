import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { toBody } from '../../generations/wire-names.ts';
import { fillImageNames, fillImagePath, predictionsPath, toAnimationBody } from './client.ts';
import { createAnimationInput, fillImageInput } from './inputs.ts';
import { animationLimits, fillImageLimits } from './limits.ts';
import { decodePredictionAcknowledgement } from './wire.ts';

export function addPredictions(graph: Graph): void {
  addCreate(graph, 'createAnimation', {
    description: 'Creates an animation between two prompts.',
    input: createAnimationInput,
    create: createTask({
      kind: 'ANIMATION',
      limits: animationLimits,
      model: ({ modelVersion }) => modelVersion,
      prompt: (input) => `${input.promptStart} → ${input.promptEnd}`,
      path: predictionsPath,
      toBody: toAnimationBody,
      decode: decodePredictionAcknowledgement,
    }),
  });
  addCreate(graph, 'fillImage', {
    description: 'Fills in the masked area of an image, or extends the image.',
    input: fillImageInput,
    create: createTask({
      kind: 'IMAGE_FILL',
      limits: fillImageLimits,
      model: (input) => `${input.modelOwner}/${input.modelName}`,
      prompt: ({ prompt }) => prompt,
      path: fillImagePath,
      toBody: (input) => ({ input: toBody(fillImageNames, input) }),
      decode: decodePredictionAcknowledgement,
    }),
  });
}
