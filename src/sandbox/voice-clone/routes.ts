import { lazyRoutes } from '../http/lazy-routes.ts';

export const voiceCloneRoutes = lazyRoutes(
  () => import('./clone.ts'),
  [['POST', '/speecha/v1/voice_clone', 'cloneVoice']],
);
