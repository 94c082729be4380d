import type { Route } from '../http/routes.ts';
import { mediaPath } from './library.ts';

export const mediaRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${mediaPath}:file`,
    load: async () => (await import('./serve-medium.ts')).handleMedium,
  },
];
