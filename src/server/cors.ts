import type { IncomingMessage, ServerResponse } from 'node:http';

/** Allowed origins. Undefined allows none to read HTTP replies, and all to open a WebSocket. */
export type CorsOrigins = '*' | readonly string[] | undefined;

/**
 * Lets pages of the allowed origins read replies, including error replies
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Does not allow browser credentials (cookies): callers send their own
 * credential. Answers preflight requests and returns true for them.
 */
export function applyCors(request: IncomingMessage, response: ServerResponse, origins: CorsOrigins): boolean {
  if (origins === undefined) return false;
  response.setHeader('vary', 'origin');
  const { origin } = request.headers;
  if (origin === undefined || !(origins === '*' || origins.includes(origin))) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'x-request-id, retry-after');
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return false;
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? 'content-type',
      'access-control-max-age': '600',
      'content-length': '0',
    })
    .end();
  return true;
}

/**
 * Whether a page may open a WebSocket. Browsers do not apply CORS to WebSockets, so the server checks the origin itself.
 * Other clients send no origin.
 */
export function mayOpenSocket({ headers }: IncomingMessage, origins: CorsOrigins): boolean {
  const { origin, host } = headers;
  if (origins === undefined || origins === '*' || origin === undefined) return true;
  return origins.includes(origin) || isSameHost(origin, host);
}

/** Compares hosts only: behind a proxy that ends TLS, the server does not know the scheme of its own origin. */
function isSameHost(origin: string, host: string | undefined): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== '' && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}
