import type { Route } from '../http/routes.ts';

export const referenceVideoRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/videos/generations',
    load: async () => (await import('./create.ts')).handleReferenceVideo,
  },
  {
    method: 'GET',
    path: '/v1/videos/:id',
    load: async () => (await import('./read.ts')).handleReferenceVideoTask,
  },
];
