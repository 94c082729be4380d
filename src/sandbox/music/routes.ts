import { lazyRoutes } from '../http/lazy-routes.ts';

export const musicRoutes = lazyRoutes(
  () => import('./music.ts'),
  [
    ['POST', '/music/submit/music', 'createSongs'],
    ['POST', '/music/submit/adjust-speed', 'adjustSpeed'],
    ['POST', '/music/fetch', 'fetchTasks'],
  ],
);
