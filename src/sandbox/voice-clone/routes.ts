import type { Route } from '../http/routes.ts';

export const voiceCloneRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/speecha/v1/voice_clone',
    load: async () => (await import('./clone.ts')).handleClone,
  },
];
