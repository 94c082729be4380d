import { type ExampleOperation, placeholders } from '../../graphql/capability.ts';

const image = {
  setA: { model: 'seedream-4', prompt: 'A lighthouse at dusk, watercolour.', size: { token: 'SIZE_1K' } },
};
const imageGroup = {
  model: 'seedream-4',
  prompt: 'A series of 4 watercolours: a lighthouse at dawn, noon, dusk and night.',
  size: { token: 'SIZE_1K' },
  sequentialImageGeneration: 'AUTO',
};

export const imageOperations: readonly ExampleOperation[] = [
  { name: 'create-image', variables: { input: image } },
  { name: 'stream-images', variables: { input: imageGroup, idempotencyKey: 'my-first-pictures' } },
  { name: 'image-events', variables: { id: placeholders.generationId } },
];
