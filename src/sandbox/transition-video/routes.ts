import { lazyRoutes } from '../http/lazy-routes.ts';

export const transitionVideoRoutes = lazyRoutes(
  () => import('./transition-video.ts'),
  [
    ['POST', '/openapi/v2/video/multi_transition/generate', 'createTransitionVideo'],
    ['GET', '/openapi/v2/video/result/:id', 'readTransitionVideo', 'TRANSITION_VIDEO'],
  ],
);
