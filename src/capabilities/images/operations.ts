import { type ExampleOperation, placeholders } from '../../graphql/capability.ts';

const image = {
  resolutionAndGroup: {
    model: 'seedream-4',
    prompt: 'A lighthouse at dusk, watercolour.',
    size: { resolution: 'RESOLUTION_1K' },
  },
};
const watercolours = {
  model: 'seedream-4',
  prompt: 'A series of 4 watercolours: a lighthouse at dawn, noon, dusk and night.',
  size: { resolution: 'RESOLUTION_1K' },
  imageGroup: 'AUTO',
};

export const imageOperations: readonly ExampleOperation[] = [
  { name: 'create-image', variables: { input: image } },
  { name: 'stream-images', variables: { input: watercolours, idempotencyKey: 'my-first-pictures' } },
  { name: 'image-events', variables: { id: placeholders.generationId } },
];
