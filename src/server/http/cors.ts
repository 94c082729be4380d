import type { IncomingMessage, ServerResponse } from 'node:http';

/** Allowed origins. Undefined allows none to read HTTP replies, and all to open a WebSocket. */
export type CorsOrigins = '*' | readonly string[] | undefined;

/** What a page needs that reads a file in parts. */
const fileHeaders = ['accept-ranges', 'content-disposition', 'content-range', 'etag'];

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
  const isFile = request.url?.startsWith('/files/') === true;
  response.setHeader(
    'access-control-expose-headers',
    ['x-request-id', 'retry-after', ...(isFile ? fileHeaders : [])].join(', '),
  );
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return false;
  response
    .writeHead(204, {
      'access-control-allow-methods': isFile ? 'GET, PUT' : 'GET, POST',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? 'content-type',
      'access-control-max-age': '600',
      'content-length': '0',
    })
    .end();
  return true;
}

/**
 * Whether a page may open a WebSocket. Browsers do not apply CORS to WebSockets, so the server checks the origin itself. It
 * does not compare the origin with `Host`: after DNS rebinding, both name the host of the page. Other clients send no origin.
 */
export function mayOpenSocket({ headers: { origin } }: IncomingMessage, origins: CorsOrigins): boolean {
  return origins === undefined || origins === '*' || origin === undefined || origins.includes(origin);
}
