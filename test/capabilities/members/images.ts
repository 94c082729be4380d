import type { RequestMembers, MemberSource } from './request-members.ts';

const base = { endpoint: 2, method: 'POST', path: '/v1/images/generations' } as const;

function membersOfByResolution(place: string): Readonly<Record<string, MemberSource>> {
  return {
    model: `${place}.model`,
    prompt: `${place}.prompt`,
    size: { anyOf: [`${place}.size.resolution`, `${place}.size.pixels`] },
    sequential_image_generation: `${place}.imageGroup`,
    response_format: `${place}.delivery`,
    watermark: `${place}.watermark`,
  };
}

const byResolution = {
  model: 'seedream-4',
  prompt: 'a fox',
  size: { pixels: { width: 2048, height: 1024 } },
  imageGroup: 'AUTO',
  delivery: 'BASE64',
  watermark: false,
};

export const imageRequests: readonly RequestMembers[] = [
  {
    ...base,
    field: 'createImage',
    variant: 'byResolution',
    calls: [
      { input: { byResolution } },
      { input: { byResolution: { ...byResolution, size: { resolution: 'RESOLUTION_2K' } } } },
    ],
    // The gateway does not stream by default, so `stream` is omitted then.
    members: membersOfByResolution('input.byResolution'),
  },
  {
    ...base,
    field: 'createImage',
    variant: 'byCount',
    calls: [
      {
        input: {
          byCount: {
            prompt: 'a fox',
            model: 'dall-e-3',
            count: 1,
            size: 'SIZE_1792X1024',
            quality: 'HD',
            delivery: 'URL',
            style: 'VIVID',
            user: 'u-1',
          },
        },
      },
    ],
    members: {
      prompt: 'input.byCount.prompt',
      model: 'input.byCount.model',
      n: 'input.byCount.count',
      size: 'input.byCount.size',
      quality: 'input.byCount.quality',
      response_format: 'input.byCount.delivery',
      style: 'input.byCount.style',
      user: 'input.byCount.user',
    },
  },
  {
    ...base,
    field: 'streamImages',
    calls: [{ input: byResolution, idempotencyKey: 'k' }],
    members: { ...membersOfByResolution('input'), stream: { field: 'streamImages' } },
  },
];
