import type { InputFieldBuilder } from '@pothos/core';
import type { Types } from '../../graphql/builder.ts';
import type { Graph } from '../../graphql/graph.ts';
import { extraMember } from '../../graphql/field-options.ts';

function queuedImageSize({ builder }: Graph) {
  return builder.enumType('QueuedImageSize', {
    description: 'Size preset.',
    values: {
      SQUARE: { value: 'square', description: 'Square.' },
      SQUARE_PRO: {
        value: 'square pro',
        description: 'Larger square.',
      },
      LANDSCAPE_4_3: {
        value: 'landscape_4_3',
        description: 'Landscape, 4:3.',
      },
      LANDSCAPE_16_9: {
        value: 'landscape_16_9',
        description: 'Landscape, 16:9.',
      },
      PORTRAIT_3_4: { value: 'portrait_3_4', description: 'Portrait, 3:4.' },
    },
  } as const);
}

function queuedImageFormat({ builder }: Graph) {
  return builder.enumType('QueuedImageFormat', {
    description: 'Image file format.',
    values: {
      JPEG: { value: 'jpeg', description: 'JPEG.' },
      PNG: { value: 'png', description: 'PNG.' },
    },
  } as const);
}

/** The members of every request of the queue. */
function queueMembers({ use }: Graph, t: InputFieldBuilder<Types, 'InputObject'>) {
  return {
    steps: t.int({
      description: 'More steps are finer and slower, 1 to 50.',
    }),
    guidanceScale: t.float({
      description: 'How closely the image follows the prompt, 0 to 35.',
    }),
    count: t.int({
      description: 'Number of images, 1 to 4.',
    }),
    enableSafetyChecker: t.boolean({
      description: 'Sets `isNsfw`. Default: true.',
    }),
    outputFormat: t.field({ type: use(queuedImageFormat) }),
    extra: t.field(extraMember),
  };
}

export function queueImageInput(graph: Graph) {
  return graph.builder.inputType('QueueImageInput', {
    description: 'Images to queue.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'Prompt, not empty.' }),
      size: t.field({ type: graph.use(queuedImageSize) }),
      ...queueMembers(graph, t),
    }),
  });
}

export function queueInpaintingInput(graph: Graph) {
  return graph.builder.inputType('QueueInpaintingInput', {
    description: 'An area of an image to repaint.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'For the repainted area, not empty.' }),
      image: t.string({
        required: true,
        description: 'URL or base64 data URI; jpeg, png, webp, gif or avif.',
      }),
      mask: t.string({
        required: true,
        description: 'Area to repaint. URL or base64 data URI; jpeg, png, webp, gif or avif.',
      }),
      strength: t.float({
        description: 'Higher values differ more from the image, 0.01 to 1.',
      }),
      ...queueMembers(graph, t),
    }),
  });
}

export type QueueInpaintingInput = ReturnType<typeof queueInpaintingInput>['$inferInput'];
export type QueueImageInput = ReturnType<typeof queueImageInput>['$inferInput'];
