import type { Route } from '../http/routes.ts';

export const videoRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/video/create',
    load: async () => (await import('./create.ts')).handleVideo,
  },
  {
    method: 'GET',
    path: '/v1/video/query',
    load: async () => (await import('./read.ts')).handleVideoQuery,
  },
];
