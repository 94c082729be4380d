import { lazyRoutes } from '../http/lazy-routes.ts';
import { replyJson, type Handler } from '../http/routes.ts';

const description =
  'A sandbox of the generative AI gateway: it behaves like one and generates everything offline.';
const describe: Handler = (exchange) => replyJson(exchange, { name: 'gengraph-sandbox', description });
const reportHealth: Handler = (exchange) => replyJson(exchange, { status: 'ok' });

/** The endpoints that describe the sandbox itself. */
export const serviceRoutes = lazyRoutes(
  async () => ({ describe, reportHealth }),
  [
    ['GET', '/', 'describe'],
    ['GET', '/health', 'reportHealth'],
  ],
);
