import { type ExampleOperation, placeholders } from '../../graphql/capability.ts';

const image = {
  byResolution: {
    model: 'seedream-4',
    prompt: 'A lighthouse at dusk, watercolor.',
    size: { resolution: 'RESOLUTION_1K' },
  },
};
const watercolors = {
  model: 'seedream-4',
  prompt: 'A series of 4 watercolors: a lighthouse at dawn, noon, dusk and night.',
  size: { resolution: 'RESOLUTION_1K' },
  imageGroup: 'AUTO',
};

export const imageOperations: readonly ExampleOperation[] = [
  { name: 'create-image', variables: { input: image } },
  { name: 'stream-images', variables: { input: watercolors, idempotencyKey: 'my-first-pictures' } },
  { name: 'image-events', variables: { id: placeholders.imageStreamId } },
];
