import type { ExampleOperation } from '../../graphql/capability.ts';

const picture = { prompt: 'A lighthouse at dusk, watercolor.', size: 'LANDSCAPE_4_3', count: 2 };
const inpainting = {
  image: 'https://example.com/lighthouse.png',
  mask: 'https://example.com/lighthouse-mask.png',
  prompt: 'A stormy sky.',
  strength: 0.85,
};

export const imageQueueOperations: readonly ExampleOperation[] = [
  { name: 'queue-image', variables: { input: picture } },
  { name: 'queue-inpainting', variables: { input: inpainting } },
];
