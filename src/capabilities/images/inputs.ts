import type { Graph } from '../../graphql/graph.ts';

function imageResolution({ builder }: Graph) {
  return builder.enumType('ImageResolution', {
    description: 'Resolution. The model chooses the aspect ratio.',
    values: {
      SIZE_1K: { value: '1K', description: '1K resolution.' },
      SIZE_2K: { value: '2K', description: '2K resolution.' },
      SIZE_4K: { value: '4K', description: '4K resolution.' },
    },
  } as const);
}

function imagePixelsInput({ builder }: Graph) {
  return builder.inputType('ImagePixelsInput', {
    description:
      'Size in pixels. The area must be 1024x1024 to 4096x4096 pixels, the aspect ratio 1/16 to 16.',
    fields: (t) => ({
      width: t.int({ required: true, description: 'Width, from 1.' }),
      height: t.int({ required: true, description: 'Height, from 1.' }),
    }),
  });
}

function imageSetASizeInput({ builder, use }: Graph) {
  return builder.inputType('ImageSetASizeInput', {
    description: 'Image size.',
    isOneOf: true,
    fields: (t) => ({
      token: t.field({ type: use(imageResolution), description: 'Resolution. Wire name `size`.' }),
      pixels: t.field({
        type: use(imagePixelsInput),
        description: 'Width and height in pixels. Wire name `size`.',
      }),
    }),
  });
}

function sequentialImageGeneration({ builder }: Graph) {
  return builder.enumType('SequentialImageGeneration', {
    description: 'Policy for groups of related images.',
    values: {
      AUTO: {
        value: 'auto',
        description: 'The model decides the number of images.',
      },
      DISABLED: { value: 'disabled', description: 'Exactly one image.' },
    },
  } as const);
}

function imageResponseFormat({ builder }: Graph) {
  return builder.enumType('ImageResponseFormat', {
    description: 'Delivery of images.',
    values: {
      URL: { value: 'url', description: 'As a URL.' },
      B64_JSON: { value: 'b64_json', description: 'Inline, in `base64`.' },
    },
  } as const);
}

export function imageSetAInput({ builder, use }: Graph) {
  return builder.inputType('ImageSetAInput', {
    description:
      'Parameter set A, for models such as `seedream-4`. Images are JPEG. Omitted fields are not sent.',
    fields: (t) => ({
      model: t.string({
        required: true,
        description: 'Model id, not empty. Models known to need `setB` are refused.',
      }),
      prompt: t.string({ required: true, description: 'Prompt in Chinese or English, not empty.' }),
      size: t.field({
        type: use(imageSetASizeInput),
        description: 'Image size. Default: 2048x2048 pixels.',
      }),
      sequentialImageGeneration: t.field({
        type: use(sequentialImageGeneration),
        description: 'Policy for groups of images. Default: DISABLED.',
      }),
      responseFormat: t.field({
        type: use(imageResponseFormat),
        description: 'Delivery of images. Default: URL, which is valid for 24 hours.',
      }),
      watermark: t.boolean({
        description: 'Mark images as AI-generated at the lower right. Default: true.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further request members by wire name. `stream` and members that have a field in either parameter set are refused.',
      }),
    }),
  });
}

function imageSetBSize({ builder }: Graph) {
  return builder.enumType('ImageSetBSize', {
    description:
      'Width x height in pixels. The accepted sizes depend on the model family: A (`gpt-image…`), B (`dall-e-2`), C (`dall-e-3`).',
    values: {
      AUTO: {
        value: 'auto',
        description: 'The model decides. Family A.',
      },
      SIZE_256X256: { value: '256x256', description: 'Family B.' },
      SIZE_512X512: { value: '512x512', description: 'Family B.' },
      SIZE_1024X1024: { value: '1024x1024', description: 'All families.' },
      SIZE_1536X1024: { value: '1536x1024', description: 'Family A.' },
      SIZE_1024X1536: { value: '1024x1536', description: 'Family A.' },
      SIZE_1792X1024: { value: '1792x1024', description: 'Family C.' },
      SIZE_1024X1792: { value: '1024x1792', description: 'Family C.' },
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
      NATURAL: {
        value: 'natural',
        description: 'Natural.',
      },
    },
  } as const);
}

export function imageSetBInput({ builder, use }: Graph) {
  return builder.inputType('ImageSetBInput', {
    description:
      'Parameter set B, for model families A (`gpt-image…`), B (`dall-e-2`) and C (`dall-e-3`). Family limits are checked only for these models. Omitted fields are not sent.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'Prompt, 1 to 1000 characters.' }),
      model: t.string({
        description: 'Model id. Models known to need `setA` are refused. Default: set by the gateway.',
      }),
      n: t.int({ description: 'Number of images, 1 to 10. Default: set by the gateway.' }),
      size: t.field({
        type: use(imageSetBSize),
        description: 'Image size. Default: set by the model family (AUTO in family A).',
      }),
      quality: t.field({
        type: use(imageQuality),
        description: 'Image quality, only in family C. Default: standard quality.',
      }),
      responseFormat: t.field({
        type: use(imageResponseFormat),
        description: 'Delivery of images. Default: set by the gateway.',
      }),
      style: t.field({
        type: use(imageStyle),
        description: 'Image style, only in family C. Default: set by the gateway.',
      }),
      user: t.string({ description: 'Id of the end user.' }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further request members by wire name. `stream` and members that have a field in either parameter set are refused.',
      }),
    }),
  });
}

export function createImageInput({ builder, use }: Graph) {
  return builder.inputType('CreateImageInput', {
    description: 'Image request. The model determines the parameter set.',
    isOneOf: true,
    fields: (t) => ({
      setA: t.field({
        type: use(imageSetAInput),
        description: 'Resolution, image groups and watermark, for models such as `seedream-4`.',
      }),
      setB: t.field({
        type: use(imageSetBInput),
        description:
          'Number, quality and style, for models such as `gpt-image-1`, `dall-e-2` and `dall-e-3`.',
      }),
    }),
  });
}

export type ImageSetAInput = ReturnType<typeof imageSetAInput>['$inferInput'];
export type ImageSetBInput = ReturnType<typeof imageSetBInput>['$inferInput'];
export type CreateImageInput = ReturnType<typeof createImageInput>['$inferInput'];
