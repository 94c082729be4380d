import { post, type Route } from '../http/routes.ts';

export const tokenRoutes: readonly Route[] = [
  post('/api/token/', async () => (await import('./create-token.ts')).handleCreateToken),
];
