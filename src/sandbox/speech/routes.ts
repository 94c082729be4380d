import type { Route } from '../http/routes.ts';

export const speechRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/ent/v2/audio-tts',
    load: async () => (await import('./create.ts')).handleSpeech,
  },
  {
    method: 'GET',
    path: '/ent/v2/tasks/:task_id',
    load: async () => (await import('./read.ts')).handleSpeechTask,
  },
];
