import { lazyRoutes } from '../http/lazy-routes.ts';

export const speechRoutes = lazyRoutes(
  () => import('./speech.ts'),
  [
    ['POST', '/ent/v2/audio-tts', 'createSpeech'],
    ['GET', '/ent/v2/tasks/:id', 'readSpeech', 'SPEECH'],
  ],
);
