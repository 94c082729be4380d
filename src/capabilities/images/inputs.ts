import type { Graph } from '../../graphql/graph.ts';
import { extraMember } from '../../graphql/field-options.ts';

function imageResolution({ builder }: Graph) {
  return builder.enumType('ImageResolution', {
    description: 'Resolution.',
    values: {
      RESOLUTION_1K: { value: '1K', description: '1K resolution.' },
      RESOLUTION_2K: { value: '2K', description: '2K resolution.' },
      RESOLUTION_4K: { value: '4K', description: '4K resolution.' },
    },
  } as const);
}

function imagePixelsInput({ builder }: Graph) {
  return builder.inputType('ImagePixelsInput', {
    description:
      'Size in pixels. The area must be 1024x1024 to 4096x4096 pixels, the aspect ratio 1/16 to 16.',
    fields: (t) => ({
      width: t.int({ required: true, description: 'Width, 256 to 16384.' }),
      height: t.int({ required: true, description: 'Height, 256 to 16384.' }),
    }),
  });
}

function imageResolutionOrPixelsInput({ builder, use }: Graph) {
  return builder.inputType('ImageResolutionOrPixelsInput', {
    description: 'Image size.',
    isOneOf: true,
    fields: (t) => ({
      resolution: t.field({
        type: use(imageResolution),
        description: 'The model chooses width and height.',
      }),
      pixels: t.field({ type: use(imagePixelsInput) }),
    }),
  });
}

function imageGroupPolicy({ builder }: Graph) {
  return builder.enumType('ImageGroupPolicy', {
    description: 'One image, or several related ones.',
    values: {
      AUTO: { value: 'auto', description: 'The model decides how many images, from the prompt.' },
      DISABLED: { value: 'disabled', description: 'Exactly one image.' },
    },
  } as const);
}

function imageDelivery({ builder }: Graph) {
  return builder.enumType('ImageDelivery', {
    description: 'Delivery of images.',
    values: {
      URL: { value: 'url', description: 'As a URL.' },
      BASE64: { value: 'b64_json', description: 'Inline, in `base64`.' },
    },
  } as const);
}

export function byResolutionImageInput({ builder, use }: Graph) {
  return builder.inputType('ImageByResolutionInput', {
    description:
      'For models such as `seedream-4`. Images are JPEG. The only form that streams (`streamImages`).',
    fields: (t) => ({
      model: t.string({
        required: true,
        description: 'Model id, 1 to 200 characters. Models known to need `byCount` are refused.',
      }),
      prompt: t.string({ required: true, description: 'Prompt in Chinese or English, not empty.' }),
      size: t.field({
        type: use(imageResolutionOrPixelsInput),
        description: 'Default: 2048x2048 pixels.',
      }),
      imageGroup: t.field({
        type: use(imageGroupPolicy),
        description: 'For several images: AUTO, with the number in the prompt. Default: DISABLED.',
      }),
      delivery: t.field({
        type: use(imageDelivery),
        description: 'Default: URL, which is valid for 24 hours.',
      }),
      watermark: t.boolean({
        description: 'Mark images as AI-generated at the lower right. Default: true.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

function imageSize({ builder }: Graph) {
  return builder.enumType('ImageSize', {
    description: 'Width x height in pixels. Each model accepts only some of them.',
    values: {
      AUTO: { value: 'auto', description: 'The model decides. Only `gpt-image…`.' },
      SIZE_256X256: { value: '256x256', description: 'Only `dall-e-2`.' },
      SIZE_512X512: { value: '512x512', description: 'Only `dall-e-2`.' },
      SIZE_1024X1024: { value: '1024x1024', description: 'Every model.' },
      SIZE_1536X1024: { value: '1536x1024', description: 'Landscape. Only `gpt-image…`.' },
      SIZE_1024X1536: { value: '1024x1536', description: 'Portrait. Only `gpt-image…`.' },
      SIZE_1792X1024: { value: '1792x1024', description: 'Landscape. Only `dall-e-3`.' },
      SIZE_1024X1792: { value: '1024x1792', description: 'Portrait. Only `dall-e-3`.' },
    },
  } as const);
}

function imageQuality({ builder }: Graph) {
  return builder.enumType('ImageQuality', {
    description: 'Image quality.',
    values: { HD: { value: 'hd', description: 'Finer detail.' } },
  } as const);
}

function imageStyle({ builder }: Graph) {
  return builder.enumType('ImageStyle', {
    description: 'Image style.',
    values: {
      VIVID: { value: 'vivid', description: 'Hyper-real and dramatic.' },
      NATURAL: { value: 'natural', description: 'Natural.' },
    },
  } as const);
}

function byCountImageInput({ builder, use }: Graph) {
  return builder.inputType('ImageByCountInput', {
    description:
      'For `gpt-image…`, `dall-e-2` and `dall-e-3`. Limits of one model are checked only for these names.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'Prompt, 1 to 1000 characters.' }),
      model: t.string({
        description: 'Model id, up to 200 characters. Models known to need `byResolution` are refused.',
      }),
      count: t.int({ description: 'Number of images, 1 to 10.' }),
      size: t.field({
        type: use(imageSize),
        description: 'Default: set by the model (`gpt-image…`: AUTO).',
      }),
      quality: t.field({
        type: use(imageQuality),
        description: 'Only `dall-e-3`. Default: standard quality.',
      }),
      style: t.field({
        type: use(imageStyle),
        description: 'Only `dall-e-3`.',
      }),
      delivery: t.field({
        type: use(imageDelivery),
        description: 'Default: chosen by the model.',
      }),
      user: t.string({ description: 'Id of the end user.' }),
      extra: t.field(extraMember),
    }),
  });
}

export function createImageInput({ builder, use }: Graph) {
  return builder.inputType('CreateImageInput', {
    description: 'Choose the form by the model.',
    isOneOf: true,
    fields: (t) => ({
      byResolution: t.field({
        type: use(byResolutionImageInput),
        description: 'Choose 1K, 2K, 4K or pixels, the watermark, and one image or a group.',
      }),
      byCount: t.field({
        type: use(byCountImageInput),
        description: 'Choose the number of images, HD quality and the style.',
      }),
    }),
  });
}

export type ImageByResolutionInput = ReturnType<typeof byResolutionImageInput>['$inferInput'];
export type ImageByCountInput = ReturnType<typeof byCountImageInput>['$inferInput'];
export type CreateImageInput = ReturnType<typeof createImageInput>['$inferInput'];
