import { post, type Route } from '../http/routes.ts';

export const nativeContentRoutes: readonly Route[] = [
  // The name of a model may contain dots and colons: the last colon separates.
  post(
    '/v1beta/models/:call{[^/]+:generateContent}',
    async () => (await import('./generate-content.ts')).handleGenerateContent,
  ),
];
