import { lazyRoutes } from '../http/lazy-routes.ts';

export const imageRoutes = lazyRoutes(
  () => import('./generate.ts'),
  [['POST', '/v1/images/generations', 'generateImages']],
);
