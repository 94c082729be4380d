import type { RequestMembers } from './request-members.ts';

const create = { endpoint: 6, method: 'POST', path: '/v1/video/create', field: 'createVideo' } as const;
const generations = {
  endpoint: 9,
  method: 'POST',
  path: '/v1/videos/generations',
  field: 'createReferenceVideo',
} as const;
const reference = {
  model: 'video-1',
  prompt: 'a fox runs',
  resolution: 'RESOLUTION_720P',
  aspectRatio: 'ASPECT_RATIO_16_9',
  durationSeconds: 5,
};

export const videoRequests: readonly RequestMembers[] = [
  {
    ...create,
    variant: 'from images',
    calls: [
      {
        input: {
          fromImages: {
            images: ['https://example.com/a.png'],
            model: 'sora-2',
            orientation: 'PORTRAIT',
            prompt: 'a fox runs',
            size: 'LARGE',
            durationSeconds: 15,
            allowWatermark: false,
          },
        },
      },
    ],
    members: {
      images: 'input.fromImages.images',
      model: 'input.fromImages.model',
      orientation: 'input.fromImages.orientation',
      prompt: 'input.fromImages.prompt',
      size: 'input.fromImages.size',
      duration: 'input.fromImages.durationSeconds',
      watermark: 'input.fromImages.allowWatermark',
    },
  },
  {
    ...create,
    variant: 'with a character',
    calls: [
      {
        input: {
          withCharacter: {
            images: ['https://example.com/a.png'],
            model: 'sora-2-pro',
            orientation: 'LANDSCAPE',
            prompt: 'a fox runs',
            durationSeconds: 25,
            characterUrl: 'https://example.com/a.mp4',
            characterTimestamps: { startSeconds: 1, endSeconds: 3 },
            size: 'SMALL',
          },
        },
      },
    ],
    members: {
      images: 'input.withCharacter.images',
      model: 'input.withCharacter.model',
      orientation: 'input.withCharacter.orientation',
      prompt: 'input.withCharacter.prompt',
      duration: 'input.withCharacter.durationSeconds',
      character_url: 'input.withCharacter.characterUrl',
      character_timestamps: 'input.withCharacter.characterTimestamps',
      size: 'input.withCharacter.size',
    },
  },
  {
    ...generations,
    calls: [
      { input: { ...reference, reference: { image: 'https://example.com/a.png' } } },
      { input: { ...reference, reference: { images: ['https://example.com/a.png'] } } },
    ],
    members: {
      model: 'input.model',
      prompt: 'input.prompt',
      resolution: 'input.resolution',
      aspect_ratio: 'input.aspectRatio',
      duration: 'input.durationSeconds',
      image: 'input.reference.image',
      'image.url': 'input.reference.image',
      reference_images: 'input.reference.images',
      'reference_images[].url': 'input.reference.images[]',
    },
  },
  {
    endpoint: 10,
    method: 'GET',
    path: '/videoa/v1/videos/multi-image2video/{id}',
    field: 'taskByHandle',
    variant: 'of MULTI_IMAGE_VIDEO',
    selection: 'status',
    calls: [{ handle: { kind: 'MULTI_IMAGE_VIDEO', upstreamId: 'v-1' } }],
    members: { 'path:id': { by: 'handle.upstreamId' } },
  },
  {
    endpoint: 11,
    method: 'GET',
    path: '/videoa/v1/videos/advanced-lip-sync/{id}',
    field: 'taskByHandle',
    variant: 'of LIP_SYNC',
    selection: 'status',
    calls: [{ handle: { kind: 'LIP_SYNC', upstreamId: 'v-1' } }],
    members: { 'path:id': { by: 'handle.upstreamId' } },
  },
  {
    endpoint: 19,
    method: 'POST',
    path: '/openapi/v2/video/multi_transition/generate',
    field: 'createTransitionVideo',
    calls: [
      {
        input: {
          frames: [
            { imageId: '9007199254740993', durationSeconds: 5, prompt: 'a fox' },
            { imageId: 2, durationSeconds: 5, prompt: 'a bear' },
          ],
          model: 'V4_5',
          resolution: 'RESOLUTION_720P',
          extra: { motion_mode: 'normal' },
        },
      },
    ],
    members: {
      'header:api-key': { header: 'Authorization' },
      multi_transition: 'input.frames',
      'multi_transition[].img_id': 'input.frames[].imageId',
      'multi_transition[].duration': 'input.frames[].durationSeconds',
      'multi_transition[].prompt': 'input.frames[].prompt',
      model: 'input.model',
      quality: 'input.resolution',
      motion_mode: { extra: 'input.extra' },
    },
  },
];
