import type { Route } from '../http/routes.ts';

export const musicRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/music/submit/music',
    load: async () => (await import('./submit.ts')).handleSubmit,
  },
  {
    method: 'POST',
    path: '/music/submit/adjust-speed',
    load: async () => (await import('./adjust-speed.ts')).handleAdjustSpeed,
  },
  {
    method: 'POST',
    path: '/music/fetch',
    load: async () => (await import('./fetch.ts')).handleFetch,
  },
];
