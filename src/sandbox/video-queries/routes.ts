import { lazyRoutes } from '../http/lazy-routes.ts';

export const videoQueryRoutes = lazyRoutes(
  () => import('./video-queries.ts'),
  [
    ['GET', '/videoa/v1/videos/multi-image2video/:id', 'readMultiImageVideo'],
    ['GET', '/videoa/v1/videos/advanced-lip-sync/:id', 'readLipSync'],
  ],
);
