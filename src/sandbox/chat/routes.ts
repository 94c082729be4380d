import { lazyRoutes } from '../http/lazy-routes.ts';

export const chatRoutes = lazyRoutes(
  () => import('./complete-chat.ts'),
  [['POST', '/v1/chat/completions', 'handleChatCompletion']],
);
