import type { RequestMembers } from './request-members.ts';

const common = {
  prompt: 'a fox',
  steps: 28,
  guidanceScale: 3.5,
  count: 2,
  enableSafetyChecker: false,
  outputFormat: 'PNG',
};
const commonMembers = {
  prompt: 'input.prompt',
  num_inference_steps: 'input.steps',
  guidance_scale: 'input.guidanceScale',
  num_images: 'input.count',
  enable_safety_checker: 'input.enableSafetyChecker',
  output_format: 'input.outputFormat',
};

export const queueRequests: readonly RequestMembers[] = [
  {
    endpoint: 13,
    method: 'POST',
    path: '/hostb/flux-lora/inpainting',
    field: 'queueInpainting',
    calls: [
      {
        input: {
          ...common,
          image: 'https://example.com/room.avif',
          mask: 'https://example.com/mask.png',
          strength: 0.85,
        },
      },
    ],
    members: {
      ...commonMembers,
      image_url: 'input.image',
      mask_url: 'input.mask',
      strength: 'input.strength',
    },
  },
  {
    endpoint: 14,
    method: 'POST',
    path: '/hostb/flux-lora',
    field: 'queueImage',
    calls: [{ input: { ...common, size: 'SQUARE_PRO' } }],
    members: { ...commonMembers, image_size: 'input.size' },
  },
  {
    endpoint: 15,
    method: 'GET',
    path: '/hostb/{model_name}/requests/{request_id}',
    field: 'taskByHandle',
    variant: 'of QUEUED_IMAGE',
    selection: 'status',
    calls: [{ handle: { kind: 'QUEUED_IMAGE', upstreamId: 'r-1', model: 'flux-lora' } }],
    members: { 'path:model_name': { by: 'handle.model' }, 'path:request_id': { by: 'handle.upstreamId' } },
  },
];
