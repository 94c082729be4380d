import type { Route } from '../http/routes.ts';

const prediction = '/hosta/v1/predictions/:id';

export const predictionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/hosta/v1/predictions',
    load: async () => (await import('./create.ts')).handleAnimation,
  },
  {
    method: 'POST',
    path: '/hosta/v1/models/:owner/:model_name/predictions',
    load: async () => (await import('./create.ts')).handleFill,
  },
  { method: 'GET', path: prediction, load: async () => (await import('./read.ts')).handleGet },
  {
    method: 'POST',
    path: `${prediction}/cancel`,
    load: async () => (await import('./read.ts')).handleCancel,
  },
  {
    method: 'GET',
    path: `${prediction}/stream`,
    load: async () => (await import('./stream.ts')).handleStream,
  },
  { method: 'GET', path: '/hosta/p/:id', load: async () => (await import('./web-page.ts')).handleWebPage },
];
