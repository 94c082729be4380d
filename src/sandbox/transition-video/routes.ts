import type { Route } from '../http/routes.ts';

export const transitionVideoRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/openapi/v2/video/multi_transition/generate',
    load: async () => (await import('./create.ts')).handleTransition,
  },
  {
    method: 'GET',
    path: '/openapi/v2/video/result/:video_id',
    load: async () => (await import('./read.ts')).handleTransitionResult,
  },
];
