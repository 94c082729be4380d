import { get, replyJson, type Route } from '../http/routes.ts';

const description =
  'A sandbox of the generative AI gateway: it behaves like one and generates everything offline.';

/** The endpoints that describe the sandbox itself. */
export const serviceRoutes: readonly Route[] = [
  get('/', async () => (exchange) => replyJson(exchange, { name: 'gengraph-sandbox', description })),
  get('/health', async () => (exchange) => replyJson(exchange, { status: 'ok' })),
];
