import { lazyRoutes } from '../http/lazy-routes.ts';

export const referenceVideoRoutes = lazyRoutes(
  () => import('./reference-video.ts'),
  [
    ['POST', '/v1/videos/generations', 'createReferenceVideo'],
    ['GET', '/v1/videos/:id', 'readReferenceVideo', 'REFERENCE_VIDEO'],
  ],
);
