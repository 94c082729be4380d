import type { Route } from '../http/routes.ts';

export const videoQueryRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/videoa/v1/videos/multi-image2video/:id',
    load: async () => (await import('./read.ts')).handleMultiImageVideo,
  },
  {
    method: 'GET',
    path: '/videoa/v1/videos/advanced-lip-sync/:id',
    load: async () => (await import('./read.ts')).handleLipSync,
  },
];
