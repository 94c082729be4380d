import { lazyRoutes } from '../http/lazy-routes.ts';
import { mediaPath } from './library.ts';

export const mediaRoutes = lazyRoutes(
  () => import('./serve-medium.ts'),
  [['GET', `${mediaPath}:file`, 'serveMedium']],
);
