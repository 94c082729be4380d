import type { Route } from '../http/routes.ts';

export const imageRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/images/generations',
    load: async () => (await import('./generate.ts')).handleImageGeneration,
  },
];
