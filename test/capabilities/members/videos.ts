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
  duration: 5,
};

export const videoRequests: readonly RequestMembers[] = [
  {
    ...create,
    variant: 'from images',
    calls: [
      {
        input: {
          images: {
            images: ['https://example.com/a.png'],
            model: 'sora-2',
            orientation: 'PORTRAIT',
            prompt: 'a fox runs',
            size: 'LARGE',
            duration: 15,
            watermark: false,
          },
        },
      },
    ],
    members: {
      images: 'input.images.images',
      model: 'input.images.model',
      orientation: 'input.images.orientation',
      prompt: 'input.images.prompt',
      size: 'input.images.size',
      duration: 'input.images.duration',
      watermark: 'input.images.watermark',
    },
  },
  {
    ...create,
    variant: 'with a character',
    calls: [
      {
        input: {
          character: {
            images: ['https://example.com/a.png'],
            model: 'sora-2-pro',
            orientation: 'LANDSCAPE',
            prompt: 'a fox runs',
            duration: 25,
            characterUrl: 'https://example.com/a.mp4',
            characterTimestamps: { start: 1, end: 3 },
            size: 'SMALL',
          },
        },
      },
    ],
    members: {
      images: 'input.character.images',
      model: 'input.character.model',
      orientation: 'input.character.orientation',
      prompt: 'input.character.prompt',
      duration: 'input.character.duration',
      character_url: 'input.character.characterUrl',
      character_timestamps: 'input.character.characterTimestamps',
      size: 'input.character.size',
    },
  },
  {
    ...generations,
    calls: [
      { input: { ...reference, reference: { image: { url: 'https://example.com/a.png' } } } },
      { input: { ...reference, reference: { referenceImages: [{ url: 'https://example.com/a.png' }] } } },
    ],
    members: {
      model: 'input.model',
      prompt: 'input.prompt',
      resolution: 'input.resolution',
      aspect_ratio: 'input.aspectRatio',
      duration: 'input.duration',
      image: 'input.reference.image',
      'image.url': 'input.reference.image.url',
      reference_images: 'input.reference.referenceImages',
      'reference_images[].url': 'input.reference.referenceImages[].url',
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
            { imageId: '9007199254740993', duration: 5, prompt: 'a fox' },
            { imageId: 2, duration: 5, prompt: 'a bear' },
          ],
          model: 'V4_5',
          quality: 'QUALITY_720P',
          extra: { motion_mode: 'normal' },
        },
      },
    ],
    members: {
      'header:api-key': { header: 'Authorization' },
      multi_transition: 'input.frames',
      'multi_transition[].img_id': 'input.frames[].imageId',
      'multi_transition[].duration': 'input.frames[].duration',
      'multi_transition[].prompt': 'input.frames[].prompt',
      model: 'input.model',
      quality: 'input.quality',
      motion_mode: { extra: 'input.extra' },
    },
  },
];
