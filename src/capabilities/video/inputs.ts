import { builder } from '../../graphql/builder.ts';

const VideoOrientation = builder.enumType('VideoOrientation', {
  description: 'Which way a video stands.',
  values: {
    PORTRAIT: { value: 'portrait', description: 'Vertical. Wire value `portrait`.' },
    LANDSCAPE: { value: 'landscape', description: 'Horizontal. Wire value `landscape`.' },
  },
} as const);

const VideoSize = builder.enumType('VideoSize', {
  description: 'How large a created video is.',
  values: {
    SMALL: { value: 'small', description: 'Standard, typically 720p. Wire value `small`.' },
    LARGE: { value: 'large', description: 'High definition. Wire value `large`.' },
  },
} as const);

const ImagesVideoInput = builder.inputType('ImagesVideoInput', {
  description: 'A video from images: variant 1 of the path.',
  fields: (t) => ({
    images: t.stringList({
      required: true,
      description: 'At least one: http(s) addresses, or base64 data URIs of images.',
    }),
    model: t.string({ required: true, description: 'Model name; not empty.' }),
    orientation: t.field({ type: VideoOrientation, required: true, description: 'Which way it stands.' }),
    prompt: t.string({ required: true, description: 'What happens; not empty.' }),
    size: t.field({ type: VideoSize, required: true, description: 'How large it is.' }),
    duration: t.int({ required: true, description: 'Seconds: 10 or 15.' }),
    watermark: t.boolean({
      defaultValue: true,
      description:
        'True, the default: without a watermark where possible, with one as the fallback. False: never with one; the gateway retries until it succeeds. Always sent, as text.',
    }),
    extra: t.field({
      type: 'JSON',
      description:
        'An object of further members of the request body. Members that are declared for either variant are refused here.',
    }),
  }),
});

const CharacterTimestampsInput = builder.inputType('CharacterTimestampsInput', {
  description: 'A span of a video, 1 to 3 seconds long, to the millisecond. Wire: `<start>,<end>`.',
  fields: (t) => ({
    start: t.float({ required: true, description: 'Where it begins, in seconds from 0.' }),
    end: t.float({ required: true, description: 'Where it ends, in seconds.' }),
  }),
});

const CharacterVideoInput = builder.inputType('CharacterVideoInput', {
  description: 'A video with a character taken from another video: variant 2 of the path.',
  fields: (t) => ({
    images: t.stringList({ description: 'Http(s) addresses, or base64 data URIs of images.' }),
    model: t.string({ required: true, description: 'Model name; not empty.' }),
    orientation: t.field({
      type: VideoOrientation,
      description: "Which way it stands; the gateway's own when absent.",
    }),
    prompt: t.string({ required: true, description: 'What happens; not empty.' }),
    duration: t.int({
      description:
        "Seconds: 10, 15, or with a pro model 25, which is refused for names that are known as standard (`sora-2`). The gateway's own when absent.",
    }),
    characterUrl: t.string({
      description:
        'The video that the character is taken from, by http(s) address. It fails where that shows a real person. Wire name `character_url`.',
    }),
    characterTimestamps: t.field({
      type: CharacterTimestampsInput,
      description:
        'Where in that video the character is; needs `characterUrl`. Wire name `character_timestamps`.',
    }),
    size: t.field({ type: VideoSize, required: true, description: 'How large it is.' }),
    extra: t.field({
      type: 'JSON',
      description:
        'An object of further members of the request body. Members that are declared for either variant are refused here.',
    }),
  }),
});

export const CreateVideoInput = builder.inputType('CreateVideoInput', {
  description:
    'A video from images, or with a character (POST /v1/video/create). What is absent is not sent.',
  isOneOf: true,
  fields: (t) => ({
    images: t.field({ type: ImagesVideoInput, description: 'From images.' }),
    character: t.field({ type: CharacterVideoInput, description: 'With a character.' }),
  }),
});

const VideoResolution = builder.enumType('VideoResolution', {
  description: 'Height of a video after references.',
  values: {
    RESOLUTION_480P: { value: '480p', description: 'Wire value `480p`.' },
    RESOLUTION_720P: { value: '720p', description: 'Wire value `720p`.' },
  },
} as const);

const VideoAspectRatio = builder.enumType('VideoAspectRatio', {
  description: 'Width to height of a video after references.',
  values: {
    ASPECT_RATIO_1_1: { value: '1:1', description: 'Square. Wire value `1:1`.' },
    ASPECT_RATIO_16_9: { value: '16:9', description: 'Horizontal. Wire value `16:9`.' },
    ASPECT_RATIO_9_16: { value: '9:16', description: 'Vertical. Wire value `9:16`.' },
  },
} as const);

const ReferenceImageInput = builder.inputType('ReferenceImageInput', {
  description: 'An image for a video.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'Http(s) address, or base64 data URI of an image.' }),
  }),
});

const VideoReferenceInput = builder.inputType('VideoReferenceInput', {
  description: 'What a video goes by: one image, or several references.',
  isOneOf: true,
  fields: (t) => ({
    image: t.field({ type: ReferenceImageInput, description: 'The image that it begins from.' }),
    referenceImages: t.field({
      type: [ReferenceImageInput],
      description: 'What it refers to, at least one. Wire name `reference_images`.',
    }),
  }),
});

export const CreateReferenceVideoInput = builder.inputType('CreateReferenceVideoInput', {
  description: 'A video after reference images (POST /v1/videos/generations). What is absent is not sent.',
  fields: (t) => ({
    model: t.string({ required: true, description: 'Model name; not empty.' }),
    prompt: t.string({ required: true, description: 'What happens; not empty.' }),
    resolution: t.field({ type: VideoResolution, required: true, description: 'Its height.' }),
    aspectRatio: t.field({
      type: VideoAspectRatio,
      required: true,
      description: 'Width to height. Wire name `aspect_ratio`.',
    }),
    duration: t.int({ required: true, description: 'Seconds: 1 to 15.' }),
    reference: t.field({
      type: VideoReferenceInput,
      description: 'One image or several references; from the prompt alone when absent.',
    }),
    extra: t.field({
      type: 'JSON',
      description: 'An object of further members of the request body. Declared members are refused here.',
    }),
  }),
});

const TransitionVideoModel = builder.enumType('TransitionVideoModel', {
  description: 'Version of the transition model.',
  values: {
    V3_5: { value: 'v3.5', description: 'Wire value `v3.5`.' },
    V4: { value: 'v4', description: 'Wire value `v4`.' },
    V4_5: { value: 'v4.5', description: 'Wire value `v4.5`.' },
    V5: { value: 'v5', description: 'Wire value `v5`.' },
  },
} as const);

const TransitionVideoQuality = builder.enumType('TransitionVideoQuality', {
  description: 'Height of a transition video.',
  values: {
    QUALITY_360P: { value: '360p', description: 'Wire value `360p`.' },
    QUALITY_540P: { value: '540p', description: 'Wire value `540p`.' },
    QUALITY_720P: { value: '720p', description: 'Wire value `720p`.' },
    QUALITY_1080P: { value: '1080p', description: 'Wire value `1080p`.' },
  },
} as const);

const TransitionInput = builder.inputType('TransitionInput', {
  description: 'One picture of a transition video, and how it goes on from there.',
  fields: (t) => ({
    imgId: t.field({
      type: 'BigInt',
      required: true,
      description: 'Id of an uploaded image. Wire name `img_id`.',
    }),
    duration: t.int({
      description: 'Whole seconds to the next picture, from 1; required on all but the last.',
    }),
    prompt: t.string({ description: 'What happens on the way.' }),
  }),
});

export const CreateTransitionVideoInput = builder.inputType('CreateTransitionVideoInput', {
  description: 'A video from picture to picture (POST /openapi/v2/video/multi_transition/generate).',
  fields: (t) => ({
    multiTransition: t.field({
      type: [TransitionInput],
      required: true,
      description: 'The pictures in their order, 2 to 7. Wire name `multi_transition`.',
    }),
    model: t.field({ type: TransitionVideoModel, required: true, description: 'Version of the model.' }),
    quality: t.field({ type: TransitionVideoQuality, required: true, description: 'Its height.' }),
    extra: t.field({
      type: 'JSON',
      description:
        'An object of further members of the request body, such as `motion_mode`. Declared members are refused here.',
    }),
  }),
});

export type ImagesVideoInput = typeof ImagesVideoInput.$inferInput;
export type CharacterVideoInput = typeof CharacterVideoInput.$inferInput;
export type CreateVideoInput = typeof CreateVideoInput.$inferInput;
export type CreateReferenceVideoInput = typeof CreateReferenceVideoInput.$inferInput;
export type CreateTransitionVideoInput = typeof CreateTransitionVideoInput.$inferInput;
