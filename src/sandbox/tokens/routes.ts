import { lazyRoutes } from '../http/lazy-routes.ts';

export const tokenRoutes = lazyRoutes(
  () => import('./create-token.ts'),
  [['POST', '/api/token/', 'handleCreateToken']],
);
