import type { RequestMembers, MemberSource } from './request-members.ts';

const base = { endpoint: 2, method: 'POST', path: '/v1/images/generations' } as const;

function membersOfResolutionAndGroup(place: string): Readonly<Record<string, MemberSource>> {
  return {
    model: `${place}.model`,
    prompt: `${place}.prompt`,
    size: { anyOf: [`${place}.size.resolution`, `${place}.size.pixels`] },
    sequential_image_generation: `${place}.imageGroup`,
    response_format: `${place}.responseFormat`,
    watermark: `${place}.watermark`,
  };
}

const resolutionAndGroup = {
  model: 'seedream-4',
  prompt: 'a fox',
  size: { pixels: { width: 2048, height: 1024 } },
  imageGroup: 'AUTO',
  responseFormat: 'BASE64',
  watermark: false,
};

export const imageRequests: readonly RequestMembers[] = [
  {
    ...base,
    field: 'createImage',
    variant: 'resolutionAndGroup',
    calls: [
      { input: { resolutionAndGroup } },
      { input: { resolutionAndGroup: { ...resolutionAndGroup, size: { resolution: 'RESOLUTION_2K' } } } },
    ],
    // The gateway does not stream by default, so `stream` is omitted then.
    members: membersOfResolutionAndGroup('input.resolutionAndGroup'),
  },
  {
    ...base,
    field: 'createImage',
    variant: 'countQualityStyle',
    calls: [
      {
        input: {
          countQualityStyle: {
            prompt: 'a fox',
            model: 'dall-e-3',
            count: 1,
            size: 'SIZE_1792X1024',
            quality: 'HD',
            responseFormat: 'URL',
            style: 'VIVID',
            user: 'u-1',
          },
        },
      },
    ],
    members: {
      prompt: 'input.countQualityStyle.prompt',
      model: 'input.countQualityStyle.model',
      n: 'input.countQualityStyle.count',
      size: 'input.countQualityStyle.size',
      quality: 'input.countQualityStyle.quality',
      response_format: 'input.countQualityStyle.responseFormat',
      style: 'input.countQualityStyle.style',
      user: 'input.countQualityStyle.user',
    },
  },
  {
    ...base,
    field: 'streamImages',
    calls: [{ input: resolutionAndGroup, idempotencyKey: 'k' }],
    members: { ...membersOfResolutionAndGroup('input'), stream: { field: 'streamImages' } },
  },
];
