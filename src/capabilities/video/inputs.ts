import type { Graph } from '../../graphql/graph.ts';

function videoOrientation({ builder }: Graph) {
  return builder.enumType('VideoOrientation', {
    description: 'Whether a video is horizontal or vertical.',
    values: {
      PORTRAIT: { value: 'portrait', description: 'Vertical. Wire value `portrait`.' },
      LANDSCAPE: { value: 'landscape', description: 'Horizontal. Wire value `landscape`.' },
    },
  } as const);
}

function videoSize({ builder }: Graph) {
  return builder.enumType('VideoSize', {
    description: 'How large a video of `createVideo` is.',
    values: {
      SMALL: { value: 'small', description: 'Standard, typically 720p. Wire value `small`.' },
      LARGE: { value: 'large', description: 'High definition. Wire value `large`.' },
    },
  } as const);
}

function imagesVideoInput({ builder, use }: Graph) {
  return builder.inputType('ImagesVideoInput', {
    description: 'A video from images: variant 1 of POST /v1/video/create.',
    fields: (t) => ({
      images: t.stringList({
        required: true,
        description: 'At least one: http(s) addresses, or base64 data URIs of images.',
      }),
      model: t.string({ required: true, description: 'Model name; not empty.' }),
      orientation: t.field({
        type: use(videoOrientation),
        required: true,
        description: 'Whether it is horizontal or vertical.',
      }),
      prompt: t.string({ required: true, description: 'What happens in the video; not empty.' }),
      size: t.field({ type: use(videoSize), required: true, description: 'High definition or standard.' }),
      duration: t.int({ required: true, description: 'Length in seconds: 10 or 15.' }),
      watermark: t.boolean({
        defaultValue: true,
        description:
          'True: without a watermark where possible, with one where that fails. False: never with one; the gateway retries when taking it off fails. Always sent, as text.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other variant, is refused.',
      }),
    }),
  });
}

function characterTimestampsInput({ builder }: Graph) {
  return builder.inputType('CharacterTimestampsInput', {
    description: 'A span of a video, 1 to 3 seconds long, to the millisecond. Wire: `<start>,<end>`.',
    fields: (t) => ({
      start: t.float({
        required: true,
        description: 'Where it begins, in seconds from the beginning of the video.',
      }),
      end: t.float({
        required: true,
        description: 'Where it ends, in seconds from the beginning of the video.',
      }),
    }),
  });
}

function characterVideoInput({ builder, use }: Graph) {
  return builder.inputType('CharacterVideoInput', {
    description: 'A video with a character taken from another video: variant 2 of POST /v1/video/create.',
    fields: (t) => ({
      images: t.stringList({ description: 'Images to go by: http(s) addresses, or base64 data URIs.' }),
      model: t.string({ required: true, description: 'Model name; not empty.' }),
      orientation: t.field({
        type: use(videoOrientation),
        description: "Whether it is horizontal or vertical; the gateway's own default when absent.",
      }),
      prompt: t.string({ required: true, description: 'What happens in the video; not empty.' }),
      duration: t.int({
        description:
          "Length in seconds: 10, 15, or with a pro model 25, which is refused for models that are known as standard (`sora-2`); the gateway's own default when absent.",
      }),
      characterUrl: t.string({
        description:
          'Http(s) address of the video that the character is taken from. That fails where it shows a real person. Wire name `character_url`.',
      }),
      characterTimestamps: t.field({
        type: use(characterTimestampsInput),
        description:
          'Where in that video the character is; needs `characterUrl`. Wire name `character_timestamps`.',
      }),
      size: t.field({ type: use(videoSize), required: true, description: 'High definition or standard.' }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other variant, is refused.',
      }),
    }),
  });
}

export function createVideoInput({ builder, use }: Graph) {
  return builder.inputType('CreateVideoInput', {
    description:
      'A video from images, or with a character (POST /v1/video/create). What is absent is not sent.',
    isOneOf: true,
    fields: (t) => ({
      images: t.field({ type: use(imagesVideoInput), description: 'From images: variant 1.' }),
      character: t.field({
        type: use(characterVideoInput),
        description: 'With a character taken from another video: variant 2.',
      }),
    }),
  });
}

function videoResolution({ builder }: Graph) {
  return builder.enumType('VideoResolution', {
    description: 'Height of a video of `createReferenceVideo`.',
    values: {
      RESOLUTION_480P: { value: '480p', description: 'Wire value `480p`.' },
      RESOLUTION_720P: { value: '720p', description: 'Wire value `720p`.' },
    },
  } as const);
}

function videoAspectRatio({ builder }: Graph) {
  return builder.enumType('VideoAspectRatio', {
    description: 'Width to height of a video of `createReferenceVideo`.',
    values: {
      ASPECT_RATIO_1_1: { value: '1:1', description: 'Square. Wire value `1:1`.' },
      ASPECT_RATIO_16_9: { value: '16:9', description: 'Horizontal. Wire value `16:9`.' },
      ASPECT_RATIO_9_16: { value: '9:16', description: 'Vertical. Wire value `9:16`.' },
    },
  } as const);
}

function referenceImageInput({ builder }: Graph) {
  return builder.inputType('ReferenceImageInput', {
    description: 'An image that a video goes by.',
    fields: (t) => ({
      url: t.string({
        required: true,
        description: 'An http(s) address, or the base64 data URI of an image.',
      }),
    }),
  });
}

function videoReferenceInput({ builder, use }: Graph) {
  return builder.inputType('VideoReferenceInput', {
    description: 'What a video goes by: one image, or several references.',
    isOneOf: true,
    fields: (t) => ({
      image: t.field({ type: use(referenceImageInput), description: 'The image that it begins from.' }),
      referenceImages: t.field({
        type: [use(referenceImageInput)],
        description: 'Images of what it shows, at least one. Wire name `reference_images`.',
      }),
    }),
  });
}

export function createReferenceVideoInput({ builder, use }: Graph) {
  return builder.inputType('CreateReferenceVideoInput', {
    description:
      'A video from a prompt, by an image or reference images where given (POST /v1/videos/generations). What is absent is not sent.',
    fields: (t) => ({
      model: t.string({ required: true, description: 'Model name; not empty.' }),
      prompt: t.string({ required: true, description: 'What happens in the video; not empty.' }),
      resolution: t.field({
        type: use(videoResolution),
        required: true,
        description: 'Height of the video.',
      }),
      aspectRatio: t.field({
        type: use(videoAspectRatio),
        required: true,
        description: 'Width to height of the video. Wire name `aspect_ratio`.',
      }),
      duration: t.int({ required: true, description: 'Length in seconds: 1 to 15.' }),
      reference: t.field({
        type: use(videoReferenceInput),
        description: 'One image or several reference images; made from the prompt alone when absent.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused.',
      }),
    }),
  });
}

function transitionVideoModel({ builder }: Graph) {
  return builder.enumType('TransitionVideoModel', {
    description: 'Version of the transition model.',
    values: {
      V3_5: { value: 'v3.5', description: 'Wire value `v3.5`.' },
      V4: { value: 'v4', description: 'Wire value `v4`.' },
      V4_5: { value: 'v4.5', description: 'Wire value `v4.5`.' },
      V5: { value: 'v5', description: 'Wire value `v5`.' },
    },
  } as const);
}

function transitionVideoQuality({ builder }: Graph) {
  return builder.enumType('TransitionVideoQuality', {
    description: 'Height of a transition video.',
    values: {
      QUALITY_360P: { value: '360p', description: 'Wire value `360p`.' },
      QUALITY_540P: { value: '540p', description: 'Wire value `540p`.' },
      QUALITY_720P: { value: '720p', description: 'Wire value `720p`.' },
      QUALITY_1080P: { value: '1080p', description: 'Wire value `1080p`.' },
    },
  } as const);
}

function transitionInput({ builder }: Graph) {
  return builder.inputType('TransitionInput', {
    description: 'One picture of a transition video, and how the video goes on from there to the next.',
    fields: (t) => ({
      imgId: t.field({
        type: 'BigInt',
        required: true,
        description: 'Id of an image that was uploaded at the gateway. Wire name `img_id`.',
      }),
      duration: t.int({
        description: 'Whole seconds to the next picture, from 1; required on all but the last.',
      }),
      prompt: t.string({ description: 'What happens on the way to the next picture.' }),
    }),
  });
}

export function createTransitionVideoInput({ builder, use }: Graph) {
  return builder.inputType('CreateTransitionVideoInput', {
    description: 'A video from picture to picture (POST /openapi/v2/video/multi_transition/generate).',
    fields: (t) => ({
      multiTransition: t.field({
        type: [use(transitionInput)],
        required: true,
        description: 'The pictures in their order, 2 to 7. Wire name `multi_transition`.',
      }),
      model: t.field({
        type: use(transitionVideoModel),
        required: true,
        description: 'Version of the transition model.',
      }),
      quality: t.field({
        type: use(transitionVideoQuality),
        required: true,
        description: 'Height of the video.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body, such as `motion_mode`: a JSON object with their wire names. What has a field of its own here is refused.',
      }),
    }),
  });
}

export type ImagesVideoInput = ReturnType<typeof imagesVideoInput>['$inferInput'];
export type CharacterVideoInput = ReturnType<typeof characterVideoInput>['$inferInput'];
export type CreateVideoInput = ReturnType<typeof createVideoInput>['$inferInput'];
export type CreateReferenceVideoInput = ReturnType<typeof createReferenceVideoInput>['$inferInput'];
export type CreateTransitionVideoInput = ReturnType<typeof createTransitionVideoInput>['$inferInput'];
