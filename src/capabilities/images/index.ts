import type { Capability } from '../../graphql/capability.ts';
import { imageSetOutput } from '../../graphql/image-set.ts';
import { streamAccess } from '../../streams/stream-access.ts';
import { findImageSet, imageStreamKind } from './image-stream.ts';
import { imageOperations } from './operations.ts';
import { addCreateImage } from './schema.ts';
import { addImageStreams } from './stream-schema.ts';
import { createImageLimits, byResolutionLimits } from './limits.ts';

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
  operations: imageOperations,
  extend(graph) {
    addCreateImage(graph);
    addImageStreams(graph);
  },
};
