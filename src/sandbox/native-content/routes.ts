import { lazyRoutes } from '../http/lazy-routes.ts';

// The name of a model may contain dots and colons: the last colon separates.
export const nativeContentRoutes = lazyRoutes(
  () => import('./generate-content.ts'),
  [['POST', '/v1beta/models/:call{[^/]+:generateContent}', 'handleGenerateContent']],
);
