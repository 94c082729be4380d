import type { ExampleOperation } from '../../graphql/capability.ts';

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

export const predictionOperations: readonly ExampleOperation[] = [
  { name: 'create-animation', variables: { input: animation } },
  { name: 'fill-image', variables: { input: fill } },
];
