import type { InputFieldBuilder } from '@pothos/core';
import type { Types } from '../../graphql/builder.ts';
import type { Graph } from '../../graphql/graph.ts';

function queuedImageSize({ builder }: Graph) {
  return builder.enumType('QueuedImageSize', {
    description: 'Shape and size of a queued image.',
    values: {
      SQUARE: { value: 'square', description: 'A square. Wire value `square`.' },
      SQUARE_PRO: {
        value: 'square pro',
        description: 'A square of more pixels, as far as the name tells. Wire value `square pro`.',
      },
      LANDSCAPE_4_3: {
        value: 'landscape_4_3',
        description: 'Landscape, 4 to 3. Wire value `landscape_4_3`.',
      },
      LANDSCAPE_16_9: {
        value: 'landscape_16_9',
        description: 'Landscape, 16 to 9. Wire value `landscape_16_9`.',
      },
      PORTRAIT_3_4: { value: 'portrait_3_4', description: 'Portrait, 3 to 4. Wire value `portrait_3_4`.' },
    },
  } as const);
}

function queuedImageFormat({ builder }: Graph) {
  return builder.enumType('QueuedImageFormat', {
    description: 'File format of a queued image.',
    values: {
      JPEG: { value: 'jpeg', description: 'Wire value `jpeg`.' },
      PNG: { value: 'png', description: 'Wire value `png`.' },
    },
  } as const);
}

/** The members of every request of the queue. */
function queueMembers({ use }: Graph, t: InputFieldBuilder<Types, 'InputObject'>) {
  return {
    numInferenceSteps: t.int({
      description:
        "How many steps the model takes for an image, 1 to 50: more is finer and slower; the gateway's own default when absent. Wire name `num_inference_steps`.",
    }),
    guidanceScale: t.float({
      description:
        "How closely the images follow the prompt, 0 to 35: higher is closer; the gateway's own default when absent. Wire name `guidance_scale`.",
    }),
    numImages: t.int({
      description: "How many images, 1 to 4; the gateway's own default when absent. Wire name `num_images`.",
    }),
    enableSafetyChecker: t.boolean({
      description:
        'Have the images looked at by the safety checker, whose word is `isNsfw`; true when absent. Wire name `enable_safety_checker`.',
    }),
    outputFormat: t.field({
      type: use(queuedImageFormat),
      description:
        "File format of the images; the gateway's own default when absent. Wire name `output_format`.",
    }),
    extra: t.field({
      type: 'JSON',
      description:
        'Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused.',
    }),
  };
}

export function queueImageInput(graph: Graph) {
  return graph.builder.inputType('QueueImageInput', {
    description: 'A queued image generation (POST /hostb/flux-lora). What is absent is not sent.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'What to show; not empty.' }),
      imageSize: t.field({
        type: graph.use(queuedImageSize),
        description:
          "Shape and size of the images; the gateway's own default when absent. Wire name `image_size`.",
      }),
      ...queueMembers(graph, t),
    }),
  });
}

export function queueInpaintingInput(graph: Graph) {
  return graph.builder.inputType('QueueInpaintingInput', {
    description: 'A queued inpainting (POST /hostb/flux-lora/inpainting). What is absent is not sent.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'What to show in the repainted part; not empty.' }),
      imageUrl: t.string({
        required: true,
        description:
          'The image to repaint: an http(s) address or a base64 data URI; jpg, jpeg, png, webp, gif or avif. Wire name `image_url`.',
      }),
      maskUrl: t.string({
        required: true,
        description:
          'The mask, which tells where to repaint: an http(s) address or a base64 data URI; jpg, jpeg, png, webp, gif or avif. Wire name `mask_url`.',
      }),
      strength: t.float({
        description:
          "How far the repainted part may go from the image, 0.01 to 1: higher is farther; the gateway's own default when absent.",
      }),
      ...queueMembers(graph, t),
    }),
  });
}

export type QueueInpaintingInput = ReturnType<typeof queueInpaintingInput>['$inferInput'];
export type QueueImageInput = ReturnType<typeof queueImageInput>['$inferInput'];
