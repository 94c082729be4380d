import type { Route } from '../http/routes.ts';

export const nativeContentRoutes: readonly Route[] = [
  {
    method: 'POST',
    // The name of a model may hold dots and colons of its own: the last colon separates.
    path: '/v1beta/models/:call{[^/]+:generateContent}',
    load: async () => (await import('./generate-content.ts')).handleGenerateContent,
  },
];
