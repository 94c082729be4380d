import type { Capability } from '../../graphql/capability.ts';
import { readLipSync, readMultiImageVideo } from './client.ts';
import { videoOperations } from './operations.ts';
import { addVideo } from './schema.ts';
import { videoOutput } from './types.ts';
import { decodeTransitionVideo, decodeVideo, isVideoRefusal } from './wire.ts';
import { videoLimits, referenceVideoLimits, transitionVideoLimits } from './limits.ts';

export const video: Capability = {
  name: 'video',
  kinds: {
    VIDEO: {
      description: 'A video from images or with a character.',
      output: videoOutput,
      task: { decode: (reply) => decodeVideo(reply), isRefusal: isVideoRefusal },
    },
    REFERENCE_VIDEO: {
      description: 'Reference video.',
      output: videoOutput,
      task: { decode: (reply) => decodeVideo(reply), isRefusal: isVideoRefusal },
    },
    TRANSITION_VIDEO: {
      description: 'Transition video.',
      output: videoOutput,
      task: { decode: decodeTransitionVideo, isRefusal: isVideoRefusal, form: 'api-key-header' },
    },
    MULTI_IMAGE_VIDEO: {
      description: 'A video created outside this API.',
      output: videoOutput,
      isCreatedElsewhere: true,
      task: { readOne: readMultiImageVideo },
    },
    LIP_SYNC: {
      description: 'A lip-sync video created outside this API.',
      output: videoOutput,
      isCreatedElsewhere: true,
      task: { readOne: readLipSync },
    },
  },
  inputs: {
    CreateVideoInput: videoLimits,
    CreateReferenceVideoInput: referenceVideoLimits,
    CreateTransitionVideoInput: transitionVideoLimits,
  },
  operations: videoOperations,
  extend: addVideo,
};
