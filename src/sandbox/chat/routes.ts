import { post, type Route } from '../http/routes.ts';

export const chatRoutes: readonly Route[] = [
  post('/v1/chat/completions', async () => (await import('./complete-chat.ts')).handleChatCompletion),
];
