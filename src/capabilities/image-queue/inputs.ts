import { builder } from '../../graphql/builder.ts';

const QueuedImageSize = builder.enumType('QueuedImageSize', {
  description: 'Shape and size of a queued image.',
  values: {
    SQUARE: { value: 'square', description: 'Wire value `square`.' },
    SQUARE_PRO: { value: 'square pro', description: 'A larger square. Wire value `square pro`.' },
    LANDSCAPE_4_3: { value: 'landscape_4_3', description: 'Wire value `landscape_4_3`.' },
    LANDSCAPE_16_9: { value: 'landscape_16_9', description: 'Wire value `landscape_16_9`.' },
    PORTRAIT_3_4: { value: 'portrait_3_4', description: 'Wire value `portrait_3_4`.' },
  },
} as const);

const QueuedImageFormat = builder.enumType('QueuedImageFormat', {
  description: 'File format of a queued image.',
  values: {
    JPEG: { value: 'jpeg', description: 'Wire value `jpeg`.' },
    PNG: { value: 'png', description: 'Wire value `png`.' },
  },
} as const);

export const QueueImageInput = builder.inputType('QueueImageInput', {
  description: 'A queued image generation (POST /hostb/flux-lora). What is absent is not sent.',
  fields: (t) => ({
    prompt: t.string({ required: true, description: 'What to show; not empty.' }),
    imageSize: t.field({
      type: QueuedImageSize,
      description: "Shape and size; the gateway's own when absent. Wire name `image_size`.",
    }),
    numInferenceSteps: t.int({ description: '1 to 50. Wire name `num_inference_steps`.' }),
    guidanceScale: t.float({ description: '0 to 35. Wire name `guidance_scale`.' }),
    numImages: t.int({ description: '1 to 4. Wire name `num_images`.' }),
    enableSafetyChecker: t.boolean({ description: 'True when absent. Wire name `enable_safety_checker`.' }),
    outputFormat: t.field({
      type: QueuedImageFormat,
      description: "File format; the gateway's own when absent. Wire name `output_format`.",
    }),
    extra: t.field({
      type: 'JSON',
      description: 'An object of further members of the request body. Declared members are refused here.',
    }),
  }),
});

export const QueueInpaintingInput = builder.inputType('QueueInpaintingInput', {
  description: 'A queued inpainting (POST /hostb/flux-lora/inpainting). What is absent is not sent.',
  fields: (t) => ({
    prompt: t.string({ required: true, description: 'What to show in the repainted part; not empty.' }),
    imageUrl: t.string({
      required: true,
      description:
        'The image: an http(s) address or a base64 data URI; jpg, jpeg, png, webp, gif or avif. Wire name `image_url`.',
    }),
    maskUrl: t.string({
      required: true,
      description:
        'Where to repaint: an http(s) address or a base64 data URI; jpg, jpeg, png, webp, gif or avif. Wire name `mask_url`.',
    }),
    strength: t.float({
      description: "How far from the image it may go, 0.01 to 1; the gateway's own when absent.",
    }),
    numInferenceSteps: t.int({ description: '1 to 50. Wire name `num_inference_steps`.' }),
    guidanceScale: t.float({ description: '0 to 35. Wire name `guidance_scale`.' }),
    numImages: t.int({ description: '1 to 4. Wire name `num_images`.' }),
    enableSafetyChecker: t.boolean({ description: 'True when absent. Wire name `enable_safety_checker`.' }),
    outputFormat: t.field({
      type: QueuedImageFormat,
      description: "File format; the gateway's own when absent. Wire name `output_format`.",
    }),
    extra: t.field({
      type: 'JSON',
      description: 'An object of further members of the request body. Declared members are refused here.',
    }),
  }),
});

export type QueueInpaintingInput = typeof QueueInpaintingInput.$inferInput;
export type QueueImageInput = typeof QueueImageInput.$inferInput;
