import { lazyRoutes } from '../http/lazy-routes.ts';

export const predictionRoutes = [
  ...lazyRoutes(
    () => import('./create.ts'),
    [
      ['POST', '/hosta/v1/predictions', 'createAnimation'],
      ['POST', '/hosta/v1/models/:owner/:model_name/predictions', 'createFill'],
    ],
  ),
  ...lazyRoutes(
    () => import('./read.ts'),
    [
      ['GET', '/hosta/v1/predictions/:id', 'readPrediction'],
      ['POST', '/hosta/v1/predictions/:id/cancel', 'cancelPrediction'],
      ['GET', '/hosta/v1/predictions/:id/stream', 'streamPrediction'],
      ['GET', '/hosta/p/:id', 'showPrediction'],
    ],
  ),
];
