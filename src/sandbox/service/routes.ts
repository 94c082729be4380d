import { replyJson, type Route } from '../http/routes.ts';

/** What the sandbox says about itself. */
export const serviceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/',
    load: async () => (exchange) =>
      replyJson(exchange, {
        name: 'gengraph-sandbox',
        description:
          'A sandbox of the generative AI gateway: it behaves like one and generates everything offline.',
      }),
  },
  { method: 'GET', path: '/health', load: async () => (exchange) => replyJson(exchange, { status: 'ok' }) },
];
