import type { ExampleOperation } from '../../graphql/capability.ts';

const anImage = 'https://example.com/lighthouse.png';
const video = {
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

export const videoOperations: readonly ExampleOperation[] = [
  { name: 'create-video', variables: { input: video } },
  { name: 'create-reference-video', variables: { input: referenceVideo } },
  { name: 'create-transition-video', variables: { input: transitionVideo } },
];
