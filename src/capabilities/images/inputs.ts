import type { Graph } from '../../graphql/graph.ts';

function imageResolution({ builder }: Graph) {
  return builder.enumType('ImageResolution', {
    description: 'A resolution by its token; the model chooses the shape.',
    values: {
      SIZE_1K: { value: '1K', description: 'Wire value `1K`.' },
      SIZE_2K: { value: '2K', description: 'Wire value `2K`.' },
      SIZE_4K: { value: '4K', description: 'Wire value `4K`.' },
    },
  } as const);
}

function imagePixelsInput({ builder }: Graph) {
  return builder.inputType('ImagePixelsInput', {
    description:
      'A size in pixels: 1024x1024 to 4096x4096 pixels in area, both included, and 1/16 to 16 in aspect ratio. Wire form `2048x1024`.',
    fields: (t) => ({
      width: t.int({ required: true, description: 'Width in pixels, from 1.' }),
      height: t.int({ required: true, description: 'Height in pixels, from 1.' }),
    }),
  });
}

function imageSetASizeInput({ builder, use }: Graph) {
  return builder.inputType('ImageSetASizeInput', {
    description: 'How large: by a token or in pixels, never both.',
    isOneOf: true,
    fields: (t) => ({
      token: t.field({ type: use(imageResolution), description: 'By a token, such as 2K.' }),
      pixels: t.field({ type: use(imagePixelsInput), description: 'By width and height in pixels.' }),
    }),
  });
}

function sequentialImageGeneration({ builder }: Graph) {
  return builder.enumType('SequentialImageGeneration', {
    description: 'Whether a request may make several images that belong together.',
    values: {
      AUTO: {
        value: 'auto',
        description: 'The model decides whether to make a group, and of how many. Wire value `auto`.',
      },
      DISABLED: { value: 'disabled', description: 'Exactly one image. Wire value `disabled`.' },
    },
  } as const);
}

function imageResponseFormat({ builder }: Graph) {
  return builder.enumType('ImageResponseFormat', {
    description: 'How images come: by address or inline.',
    values: {
      URL: { value: 'url', description: 'By address. Wire value `url`.' },
      B64_JSON: { value: 'b64_json', description: 'Inline, in `base64`. Wire value `b64_json`.' },
    },
  } as const);
}

export function imageSetAInput({ builder, use }: Graph) {
  return builder.inputType('ImageSetAInput', {
    description:
      'Parameter set A: size by resolution, groups of images, watermark. For models such as `seedream-4`. Images are JPEG. What is absent is not sent.',
    fields: (t) => ({
      model: t.string({
        required: true,
        description: 'Model id: an open set; not empty, and no model that is known to take `setB`.',
      }),
      prompt: t.string({ required: true, description: 'What to show, in Chinese or English; not empty.' }),
      size: t.field({
        type: use(imageSetASizeInput),
        description: 'How large the images are; 2048x2048 pixels when absent.',
      }),
      sequentialImageGeneration: t.field({
        type: use(sequentialImageGeneration),
        description:
          'Whether the model may make a group of images instead of one; DISABLED when absent. Wire name `sequential_image_generation`.',
      }),
      responseFormat: t.field({
        type: use(imageResponseFormat),
        description:
          'How the images come; URL when absent. An address is valid for 24 hours. Wire name `response_format`.',
      }),
      watermark: t.boolean({
        description: 'Mark the image at the lower right as made by AI; true when absent.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own, in either parameter set, and `stream`, is refused.',
      }),
    }),
  });
}

function imageSetBSize({ builder }: Graph) {
  return builder.enumType('ImageSetBSize', {
    description:
      'Width x height in pixels. Which a model takes depends on its family: A (`gpt-image…`), B (`dall-e-2`), C (`dall-e-3`).',
    values: {
      AUTO: {
        value: 'auto',
        description: "Family A, and its default: the model's choice. Wire value `auto`.",
      },
      SIZE_256X256: { value: '256x256', description: 'Family B. Wire value `256x256`.' },
      SIZE_512X512: { value: '512x512', description: 'Family B. Wire value `512x512`.' },
      SIZE_1024X1024: { value: '1024x1024', description: 'Families A, B and C. Wire value `1024x1024`.' },
      SIZE_1536X1024: { value: '1536x1024', description: 'Family A, landscape. Wire value `1536x1024`.' },
      SIZE_1024X1536: { value: '1024x1536', description: 'Family A, portrait. Wire value `1024x1536`.' },
      SIZE_1792X1024: { value: '1792x1024', description: 'Family C, landscape. Wire value `1792x1024`.' },
      SIZE_1024X1792: { value: '1024x1792', description: 'Family C, portrait. Wire value `1024x1792`.' },
    },
  } as const);
}

function imageQuality({ builder }: Graph) {
  return builder.enumType('ImageQuality', {
    description: 'How fine an image is made.',
    values: { HD: { value: 'hd', description: 'Finer detail; family C only. Wire value `hd`.' } },
  } as const);
}

function imageStyle({ builder }: Graph) {
  return builder.enumType('ImageStyle', {
    description: 'How an image looks: dramatic or natural.',
    values: {
      VIVID: { value: 'vivid', description: 'Hyper-real and dramatic; family C only. Wire value `vivid`.' },
      NATURAL: {
        value: 'natural',
        description: 'Natural: neither hyper-real nor dramatic; family C only. Wire value `natural`.',
      },
    },
  } as const);
}

export function imageSetBInput({ builder, use }: Graph) {
  return builder.inputType('ImageSetBInput', {
    description:
      'Parameter set B: number, quality, style. For models of the families A (`gpt-image…`), B (`dall-e-2`) and C (`dall-e-3`); what a family has is checked for these names only. What is absent is not sent.',
    fields: (t) => ({
      prompt: t.string({ required: true, description: 'What to show; 1 to 1000 characters.' }),
      model: t.string({
        description:
          "Model id: an open set, but for those known to take `setA`; the gateway's own default when absent.",
      }),
      n: t.int({ description: "How many images, 1 to 10; the gateway's own default when absent." }),
      size: t.field({
        type: use(imageSetBSize),
        description: "How large the images are; the family's own default when absent (AUTO in family A).",
      }),
      quality: t.field({
        type: use(imageQuality),
        description: 'HD for finer detail, with models of family C (`dall-e-3`) only; ordinary when absent.',
      }),
      responseFormat: t.field({
        type: use(imageResponseFormat),
        description:
          "How the images come; the gateway's own default when absent. Wire name `response_format`.",
      }),
      style: t.field({
        type: use(imageStyle),
        description:
          "How the images look, with models of family C (`dall-e-3`) only; the gateway's own default when absent.",
      }),
      user: t.string({ description: 'An identifier of the end user for the gateway.' }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own, in either parameter set, and `stream`, is refused.',
      }),
    }),
  });
}

export function createImageInput({ builder, use }: Graph) {
  return builder.inputType('CreateImageInput', {
    description:
      'Images by one of two parameter sets (POST /v1/images/generations): which one depends on the model.',
    isOneOf: true,
    fields: (t) => ({
      setA: t.field({
        type: use(imageSetAInput),
        description: 'Set A: size by resolution, groups, watermark. For models such as `seedream-4`.',
      }),
      setB: t.field({
        type: use(imageSetBInput),
        description:
          'Set B: number, quality, style. For models such as `gpt-image-1`, `dall-e-2`, `dall-e-3`.',
      }),
    }),
  });
}

export type ImageSetAInput = ReturnType<typeof imageSetAInput>['$inferInput'];
export type ImageSetBInput = ReturnType<typeof imageSetBInput>['$inferInput'];
export type CreateImageInput = ReturnType<typeof createImageInput>['$inferInput'];
