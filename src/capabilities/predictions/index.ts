import type { Capability } from '../../graphql/capability.ts';
import type { TaskKind } from '../../tasks/task-kinds.ts';
import { hasReadableAddress, readPrediction } from './client.ts';
import { addPredictions } from './schema.ts';
import { predictionOutput } from './types.ts';
import { decodePrediction } from './wire.ts';
import { animationLimits, fillImageLimits } from './limits.ts';

const prediction: TaskKind = {
  decode: decodePrediction,
  readOne: readPrediction,
  isReadable: hasReadableAddress,
  cancelMethod: 'POST',
};

const animation = {
  modelVersion: 'sandbox/animation',
  promptStart: 'a lighthouse by day, oil painting',
  promptEnd: 'a lighthouse by night, oil painting',
};
const fill = {
  modelOwner: 'sandbox',
  modelName: 'fill-pro',
  prompt: 'A sailing ship on the horizon.',
  image: 'https://example.com/lighthouse.png',
  mask: 'https://example.com/lighthouse-mask.png',
  outputFormat: 'png',
};

export const predictions: Capability = {
  name: 'predictions',
  kinds: {
    ANIMATION: {
      description: 'Animation.',
      output: predictionOutput,
      task: prediction,
    },
    IMAGE_FILL: {
      description: 'Image fill.',
      output: predictionOutput,
      task: prediction,
    },
  },
  inputs: { CreateAnimationInput: animationLimits, FillImageInput: fillImageLimits },
  operations: [
    { name: 'create-animation', variables: { input: animation } },
    { name: 'fill-image', variables: { input: fill } },
  ],
  extend: addPredictions,
};
