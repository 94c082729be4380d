import type { Graph } from '../../graphql/graph.ts';
import { extraMember } from '../../graphql/field-options.ts';

function videoOrientation({ builder }: Graph) {
  return builder.enumType('VideoOrientation', {
    description: 'Orientation of a video.',
    values: {
      PORTRAIT: { value: 'portrait', description: 'Vertical.' },
      LANDSCAPE: { value: 'landscape', description: 'Horizontal.' },
    },
  } as const);
}

function videoSize({ builder }: Graph) {
  return builder.enumType('VideoSize', {
    description: 'Size of a video.',
    values: {
      SMALL: { value: 'small', description: 'Standard, typically 720p.' },
      LARGE: { value: 'large', description: 'High definition.' },
    },
  } as const);
}

function videoFromImagesInput({ builder, use }: Graph) {
  return builder.inputType('VideoFromImagesInput', {
    description: 'A video from images.',
    fields: (t) => ({
      images: t.stringList({
        required: true,
        description: 'At least one http(s) URL or base64 data URI.',
      }),
      model: t.string({ required: true, description: '1 to 200 characters.' }),
      orientation: t.field({
        type: use(videoOrientation),
        required: true,
      }),
      prompt: t.string({ required: true, description: 'Not empty.' }),
      size: t.field({ type: use(videoSize), required: true }),
      durationSeconds: t.int({ required: true, description: 'Length: 10 or 15.' }),
      allowWatermark: t.boolean({
        defaultValue: true,
        description: 'Accept a watermark if its removal fails. False: the gateway retries until it succeeds.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

function characterTimestampsInput({ builder }: Graph) {
  return builder.inputType('CharacterTimestampsInput', {
    description: 'A span of 1 to 3 seconds, with a precision of 1 ms.',
    fields: (t) => ({
      startSeconds: t.float({ required: true, description: 'From the beginning of the video.' }),
      endSeconds: t.float({ required: true, description: 'From the beginning of the video.' }),
    }),
  });
}

function videoWithCharacterInput({ builder, use }: Graph) {
  return builder.inputType('VideoWithCharacterInput', {
    description: 'A video from a prompt, with optional images and character.',
    fields: (t) => ({
      model: t.string({ required: true, description: '1 to 200 characters.' }),
      prompt: t.string({ required: true, description: 'Not empty.' }),
      size: t.field({ type: use(videoSize), required: true }),
      characterUrl: t.string({
        description: 'Http(s) URL of the video with the character. Fails if the video shows a real person.',
      }),
      characterTimestamps: t.field({
        type: use(characterTimestampsInput),
        description: 'Span of that video with the character. Needs `characterUrl`.',
      }),
      images: t.stringList({ description: 'Reference images: http(s) URLs or base64 data URIs.' }),
      orientation: t.field({ type: use(videoOrientation) }),
      durationSeconds: t.int({
        description: 'Length: 10, 15, or 25 with a pro model.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

export function createVideoInput({ builder, use }: Graph) {
  return builder.inputType('CreateVideoInput', {
    description: 'A video from images, or from a prompt.',
    isOneOf: true,
    fields: (t) => ({
      fromImages: t.field({ type: use(videoFromImagesInput), description: 'From images.' }),
      withCharacter: t.field({
        type: use(videoWithCharacterInput),
        description: 'From a prompt, with an optional character.',
      }),
    }),
  });
}

function videoResolution({ builder }: Graph) {
  return builder.enumType('VideoResolution', {
    description: 'Height of a video.',
    values: {
      RESOLUTION_480P: { value: '480p', description: '480 lines.' },
      RESOLUTION_720P: { value: '720p', description: '720 lines.' },
    },
  } as const);
}

function videoAspectRatio({ builder }: Graph) {
  return builder.enumType('VideoAspectRatio', {
    description: 'Aspect ratio.',
    values: {
      ASPECT_RATIO_1_1: { value: '1:1', description: 'Square.' },
      ASPECT_RATIO_16_9: { value: '16:9', description: 'Horizontal.' },
      ASPECT_RATIO_9_16: { value: '9:16', description: 'Vertical.' },
    },
  } as const);
}

function videoReferenceInput({ builder }: Graph) {
  return builder.inputType('VideoReferenceInput', {
    description: 'One start image, or several reference images: http(s) URLs or base64 data URIs.',
    isOneOf: true,
    fields: (t) => ({
      image: t.string({ description: 'First frame of the video.' }),
      images: t.stringList({ description: 'Reference images, at least one.' }),
    }),
  });
}

export function createReferenceVideoInput({ builder, use }: Graph) {
  return builder.inputType('CreateReferenceVideoInput', {
    description: 'A video from a prompt and optional images.',
    fields: (t) => ({
      model: t.string({ required: true, description: '1 to 200 characters.' }),
      prompt: t.string({ required: true, description: 'Not empty.' }),
      resolution: t.field({
        type: use(videoResolution),
        required: true,
      }),
      aspectRatio: t.field({
        type: use(videoAspectRatio),
        required: true,
      }),
      durationSeconds: t.int({ required: true, description: 'Length, 1 to 15.' }),
      reference: t.field({
        type: use(videoReferenceInput),
        description: 'Default: the prompt alone.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

function transitionVideoModel({ builder }: Graph) {
  return builder.enumType('TransitionVideoModel', {
    description: 'Transition model version.',
    values: {
      V3_5: { value: 'v3.5', description: 'Version 3.5.' },
      V4: { value: 'v4', description: 'Version 4.' },
      V4_5: { value: 'v4.5', description: 'Version 4.5.' },
      V5: { value: 'v5', description: 'Version 5.' },
    },
  } as const);
}

function transitionVideoResolution({ builder }: Graph) {
  return builder.enumType('TransitionVideoResolution', {
    description: 'Height of a video.',
    values: {
      RESOLUTION_360P: { value: '360p', description: '360 lines.' },
      RESOLUTION_540P: { value: '540p', description: '540 lines.' },
      RESOLUTION_720P: { value: '720p', description: '720 lines.' },
      RESOLUTION_1080P: { value: '1080p', description: '1080 lines.' },
    },
  } as const);
}

function transitionFrameInput({ builder }: Graph) {
  return builder.inputType('TransitionFrameInput', {
    description: 'An image, with the transition to the next.',
    fields: (t) => ({
      imageId: t.field({
        type: 'BigInt',
        required: true,
        description: 'Id of an image uploaded directly to the gateway.',
      }),
      durationSeconds: t.int({
        description: 'Until the next image, from 1. Required except for the last.',
      }),
      prompt: t.string({ description: 'For the transition to the next image.' }),
    }),
  });
}

export function createTransitionVideoInput({ builder, use }: Graph) {
  return builder.inputType('CreateTransitionVideoInput', {
    description: 'A video with transitions between images.',
    fields: (t) => ({
      frames: t.field({
        type: [use(transitionFrameInput)],
        required: true,
        description: 'The images in order, 2 to 7.',
      }),
      model: t.field({
        type: use(transitionVideoModel),
        required: true,
      }),
      resolution: t.field({
        type: use(transitionVideoResolution),
        required: true,
      }),
      extra: t.field({
        type: 'JSON',
        description: 'Other members, by wire name, such as `motion_mode`.',
      }),
    }),
  });
}

export type VideoFromImagesInput = ReturnType<typeof videoFromImagesInput>['$inferInput'];
export type VideoWithCharacterInput = ReturnType<typeof videoWithCharacterInput>['$inferInput'];
export type CreateVideoInput = ReturnType<typeof createVideoInput>['$inferInput'];
export type CreateReferenceVideoInput = ReturnType<typeof createReferenceVideoInput>['$inferInput'];
export type CreateTransitionVideoInput = ReturnType<typeof createTransitionVideoInput>['$inferInput'];
