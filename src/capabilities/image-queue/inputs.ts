import type { InputFieldBuilder } from '@pothos/core';
import type { Types } from '../../graphql/builder.ts';
import type { Graph } from '../../graphql/graph.ts';

function queuedImageSize({ builder }: Graph) {
  return builder.enumType('QueuedImageSize', {
    description: 'Size preset.',
    values: {
      SQUARE: { value: 'square', description: 'Square.' },
      SQUARE_PRO: {
        value: 'square pro',
        description: 'Larger square. Wire value `square pro`.',
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
      description:
        'Number of inference steps, 1 to 50. More steps are finer and slower. Default: set by the gateway.',
    }),
    guidanceScale: t.float({
      description:
        'Prompt adherence, 0 to 35. Higher values follow the prompt more closely. Default: set by the gateway.',
    }),
    count: t.int({
      description: 'Number of images, 1 to 4. Default: set by the gateway.',
    }),
    enableSafetyChecker: t.boolean({
      description: 'Run the safety checker, which sets `isNsfw`. Default: true.',
    }),
    outputFormat: t.field({
      type: use(queuedImageFormat),
      description: 'File format. Default: set by the gateway.',
    }),
    extra: t.field({
      type: 'JSON',
      description: 'Further request members by wire name. Members that have a field here are refused.',
    }),
  };
}

export function queueImageInput(graph: Graph) {
  return graph.builder.inputType('QueueImageInput', {
    description: 'Request for queued images. Omitted fields are not sent.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'Prompt, not empty.' }),
      size: t.field({
        type: graph.use(queuedImageSize),
        description: 'Size preset. Default: set by the gateway.',
      }),
      ...queueMembers(graph, t),
    }),
  });
}

export function queueInpaintingInput(graph: Graph) {
  return graph.builder.inputType('QueueInpaintingInput', {
    description: 'Request for a queued inpainting. Omitted fields are not sent.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'Prompt for the repainted area, not empty.' }),
      image: t.string({
        required: true,
        description:
          'Image to repaint: an http(s) URL or a base64 data URI; jpg, jpeg, png, webp, gif or avif.',
      }),
      mask: t.string({
        required: true,
        description:
          'Mask of the area to repaint: an http(s) URL or a base64 data URI; jpg, jpeg, png, webp, gif or avif.',
      }),
      strength: t.float({
        description:
          'Change strength, 0.01 to 1. Higher values differ more from the image. Default: set by the gateway.',
      }),
      ...queueMembers(graph, t),
    }),
  });
}

export type QueueInpaintingInput = ReturnType<typeof queueInpaintingInput>['$inferInput'];
export type QueueImageInput = ReturnType<typeof queueImageInput>['$inferInput'];
