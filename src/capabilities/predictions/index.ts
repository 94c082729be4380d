import type { Capability } from '../../graphql/capability.ts';
import type { TaskKind } from '../../tasks/task-kinds.ts';
import { hasReadableAddress, readPrediction } from './client.ts';
import { predictionOperations } from './operations.ts';
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
  operations: predictionOperations,
  extend: addPredictions,
};
