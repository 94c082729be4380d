import type { Route } from '../http/routes.ts';

export const chatRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/chat/completions',
    load: async () => (await import('./complete-chat.ts')).handleChatCompletion,
  },
];
