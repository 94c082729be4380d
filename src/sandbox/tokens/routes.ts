import type { Route } from '../http/routes.ts';

export const tokenRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/token/',
    load: async () => (await import('./create-token.ts')).handleCreateToken,
  },
];
