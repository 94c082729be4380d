import type { RequestMembers, MemberSource } from './request-members.ts';

const base = { endpoint: 2, method: 'POST', path: '/v1/images/generations' } as const;

function membersOfSetA(place: string): Readonly<Record<string, MemberSource>> {
  return {
    model: `${place}.model`,
    prompt: `${place}.prompt`,
    size: `${place}.size`,
    sequential_image_generation: `${place}.sequentialImageGeneration`,
    response_format: `${place}.responseFormat`,
    watermark: `${place}.watermark`,
  };
}

const setA = {
  model: 'seedream-4',
  prompt: 'a fox',
  size: { pixels: { width: 2048, height: 1024 } },
  sequentialImageGeneration: 'AUTO',
  responseFormat: 'B64_JSON',
  watermark: false,
};

export const imageRequests: readonly RequestMembers[] = [
  {
    ...base,
    field: 'createImage',
    variant: 'set A',
    calls: [{ input: { setA } }, { input: { setA: { ...setA, size: { token: 'SIZE_2K' } } } }],
    // The gateway does not stream by default, so `stream` is omitted then.
    members: membersOfSetA('input.setA'),
  },
  {
    ...base,
    field: 'createImage',
    variant: 'set B',
    calls: [
      {
        input: {
          setB: {
            prompt: 'a fox',
            model: 'dall-e-3',
            n: 1,
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
      prompt: 'input.setB.prompt',
      model: 'input.setB.model',
      n: 'input.setB.n',
      size: 'input.setB.size',
      quality: 'input.setB.quality',
      response_format: 'input.setB.responseFormat',
      style: 'input.setB.style',
      user: 'input.setB.user',
    },
  },
  {
    ...base,
    field: 'streamImages',
    calls: [{ input: setA, idempotencyKey: 'k' }],
    members: { ...membersOfSetA('input'), stream: { field: 'streamImages' } },
  },
];
