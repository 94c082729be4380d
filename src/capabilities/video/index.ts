import type { Capability } from '../../graphql/capability.ts';
import { isTaskRefusal } from '../../tasks/task-record.ts';
import { readLipSync, readMultiImageVideo } from './client.ts';
import { addVideo } from './schema.ts';
import { videoOutput } from './types.ts';
import { decodeTransitionVideo, decodeVideo } from './wire.ts';
import { videoLimits, referenceVideoLimits, transitionVideoLimits } from './limits.ts';

const anImage = 'https://example.com/lighthouse.png';
const imageVideo = {
  fromImages: {
    images: [anImage],
    model: 'sora-2',
    orientation: 'LANDSCAPE',
    prompt: 'The lamp goes on, and ships pass by.',
    size: 'SMALL',
    durationSeconds: 10,
  },
};
const referenceVideo = {
  model: 'any-model',
  prompt: 'Waves break on the rocks below.',
  resolution: 'RESOLUTION_720P',
  aspectRatio: 'ASPECT_RATIO_16_9',
  durationSeconds: 5,
  reference: { image: anImage },
};
const transitionVideo = {
  frames: [{ imageId: 1, durationSeconds: 5, prompt: 'Night falls.' }, { imageId: 2 }],
  model: 'V5',
  resolution: 'RESOLUTION_540P',
};

export const video: Capability = {
  name: 'video',
  kinds: {
    VIDEO: {
      description: 'A video from images or with a character.',
      output: videoOutput,
      task: { decode: (reply) => decodeVideo(reply), isRefusal: isTaskRefusal },
    },
    REFERENCE_VIDEO: {
      description: 'Reference video.',
      output: videoOutput,
      task: { decode: (reply) => decodeVideo(reply), isRefusal: isTaskRefusal },
    },
    TRANSITION_VIDEO: {
      description: 'Transition video.',
      output: videoOutput,
      task: { decode: decodeTransitionVideo, isRefusal: isTaskRefusal, form: 'api-key-header' },
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
  operations: [
    { name: 'create-video', variables: { input: imageVideo } },
    { name: 'create-reference-video', variables: { input: referenceVideo } },
    { name: 'create-transition-video', variables: { input: transitionVideo } },
  ],
  extend: addVideo,
};
