import type { Route } from '../http/routes.ts';

const request = '/hostb/:model_name/requests/:request_id';

export const imageQueueRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/hostb/flux-lora',
    load: async () => (await import('./submit.ts')).handleGeneration,
  },
  {
    method: 'POST',
    path: '/hostb/flux-lora/inpainting',
    load: async () => (await import('./submit.ts')).handleInpainting,
  },
  { method: 'GET', path: request, load: async () => (await import('./read.ts')).handleResult },
  { method: 'GET', path: `${request}/status`, load: async () => (await import('./read.ts')).handleStatus },
  { method: 'PUT', path: `${request}/cancel`, load: async () => (await import('./read.ts')).handleCancel },
  { method: 'POST', path: `${request}/cancel`, load: async () => (await import('./read.ts')).handleCancel },
];
