import { type Capability, placeholders } from '../../graphql/capability.ts';
import { imageSetOutput } from '../../graphql/image-set.ts';
import { streamAccess } from '../../streams/stream-access.ts';
import { findImageSet, imageStreamKind } from './image-stream.ts';
import { addCreateImage } from './schema.ts';
import { addImageStreams } from './stream-schema.ts';
import { createImageLimits, byResolutionLimits } from './limits.ts';

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

export const images: Capability = {
  name: 'images',
  kinds: {
    IMAGE: {
      description: 'Image.',
      output: imageSetOutput,
      stream: streamAccess(imageStreamKind, findImageSet),
    },
  },
  inputs: { CreateImageInput: createImageLimits, ImageByResolutionInput: byResolutionLimits },
  operations: [
    { name: 'create-image', variables: { input: image } },
    { name: 'stream-images', variables: { input: watercolors, idempotencyKey: 'my-first-pictures' } },
    { name: 'image-events', variables: { id: placeholders.imageStreamId } },
  ],
  extend(graph) {
    addCreateImage(graph);
    addImageStreams(graph);
  },
};
