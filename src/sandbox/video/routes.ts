import { lazyRoutes } from '../http/lazy-routes.ts';

export const videoRoutes = lazyRoutes(
  () => import('./video.ts'),
  [
    ['POST', '/v1/video/create', 'createVideo'],
    ['GET', '/v1/video/query', 'readVideo', 'VIDEO'],
  ],
);
