import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { acceptsAny, createMediaRanges } from '../../lib/media-ranges.ts';
import { hasOneHost } from '../callers/request-headers.ts';
import { type Refusal, sendJson, sendRefusal } from '../sending/refusal.ts';
import type { TrackedResponse } from '../sending/tracked-response.ts';
import { isPlaygroundPath } from './page-paths.ts';
import { applyCors, type CorsOrigins } from './cors.ts';
import { eventTypes } from './event-replies.ts';

export type Handler = (
  request: IncomingMessage,
  response: TrackedResponse,
  requestId: string,
) => Promise<void> | void;

/** `records`: a write of records fails or takes too long. */
export type Obstacle = 'draining' | 'records' | 'key set';

export interface RouteOptions {
  readonly graphql: Handler;
  /** Undefined if the server has no GraphiQL. */
  readonly graphiql: Handler | undefined;
  /** Undefined if the server has no playground. */
  readonly playground: Handler | undefined;
  /** Serves the files of results. Undefined if the server keeps none. */
  readonly storedFiles: Handler | undefined;
  /** Serves the figures at `/metrics`, if they belong on this port. */
  readonly serveMetrics: Handler | undefined;
  readonly maxBodyBytes: number;
  readonly corsOrigins: CorsOrigins;
  /** What prevents the server from accepting work. Undefined if it is ready. */
  readonly findObstacle: () => Promise<Obstacle | undefined>;
  /** Whether further operations are refused. */
  readonly isRefusing: () => boolean;
}

/** Sends each request to the handler of its path. */
export function createRoutes(options: RouteOptions): (...request: Parameters<Handler>) => Promise<void> {
  const isValidHost = createHostCheck();
  const mediaRangesOf = createMediaRanges();
  const { graphql, graphiql, playground, storedFiles, serveMetrics, corsOrigins, findObstacle } = options;
  return async (request, response, requestId) => {
    const path = pathOf(request);
    if (!hasOneHost(request)) return sendRefusal(response, badHost);
    if (applyCors(request, response, corsOrigins)) return;
    if (serveMetrics && path === '/metrics') return serveMetrics(request, response, requestId);
    if (storedFiles && path.startsWith('/files/')) return storedFiles(request, response, requestId);
    if (graphiql && path.startsWith('/graphiql/')) return graphiql(request, response, requestId);
    if (playground && isPlaygroundPath(path)) return playground(request, response, requestId);
    switch (path) {
      case '/graphql': {
        if (graphiql && isForEditor(request)) return graphiql(request, response, requestId);
        if (isForEditor(request) && !namesOperation(request)) return sendRefusal(response, noPage);
        response.acceptedRanges = mediaRangesOf(request.headers.accept);
        normalizeContentType(request);
        // Caches know only one of the headers that name a caller, `Authorization`. They keep no answer to a POST.
        if (request.method === 'GET') response.setHeader('cache-control', 'no-store');
        const { acceptedRanges } = response;
        const { maxBodyBytes, isRefusing } = options;
        const refusal = isRefusing()
          ? draining
          : refuse(request, { maxBodyBytes, acceptedRanges, isValidHost });
        return refusal ? sendRefusal(response, refusal) : graphql(request, response, requestId);
      }
      case '/':
        // Relative, because a proxy may serve this server below a path.
        response.writeHead(302, { location: 'graphql' }).end();
        return;
      case '/health/live':
        sendJson(response, 200, { status: 'live' });
        return;
      case '/health/ready': {
        const obstacle = await findObstacle();
        if (obstacle === undefined) sendJson(response, 200, { status: 'ready' });
        else sendJson(response, 503, { status: 'not ready', obstacle });
        return;
      }
      default:
        sendRefusal(response, {
          status: 404,
          code: 'BAD_REQUEST',
          message: 'Not found. The API is at /graphql.',
        });
    }
  };
}

/**
 * A request may name the whole address, as clients do that take the server for a proxy. Its host then counts, not that of the
 * header (RFC 9112, section 3.2.2).
 */
export function useOriginForm(request: IncomingMessage): void {
  const [, host, rest = ''] = /^https?:\/\/([^/?]*)(.*)$/i.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

const badHost: Refusal = {
  status: 400,
  code: 'BAD_REQUEST',
  message: 'The request must have exactly one Host header.',
  headers: { connection: 'close' },
};

const noPage: Refusal = {
  status: 404,
  code: 'BAD_REQUEST',
  message:
    'There is no page here, because GraphiQL is off on this server, or not built. Send operations by POST, as application/json. The operator can set GRAPHIQL=on.',
};

const draining: Refusal = {
  status: 503,
  code: 'SHUTTING_DOWN',
  message: 'The server is draining. Retry in a moment.',
  headers: { connection: 'close', 'retry-after': '1' },
};

/** Media types have no case, and may have blanks before their parameters. Yoga compares them as they are. */
function normalizeContentType({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined) return;
  const [mediaType = '', ...parameters] = type.toLowerCase().split(';');
  headers['content-type'] = [mediaType.trimEnd(), ...parameters].join(';');
}

interface RefuseOptions {
  readonly maxBodyBytes: number;
  readonly acceptedRanges: readonly string[];
  readonly isValidHost: (host: string) => boolean;
}

/** Rejects requests before their body is read. */
function refuse(
  { method, headers }: IncomingMessage,
  { maxBodyBytes, acceptedRanges, isValidHost }: RefuseOptions,
): Refusal | undefined {
  const { host = '', 'content-type': contentType = '', 'content-length': contentLength = 0 } = headers;
  const { 'content-encoding': contentEncoding = '' } = headers;
  // Yoga builds a URL from it. If that throws, Yoga sends the stack trace to the client.
  if (host !== '' && !isValidHost(host))
    return { status: 400, code: 'BAD_REQUEST', message: 'The Host header is invalid.' };
  // CSRF protection: any page can post a form without a CORS preflight, but not JSON.
  if (method === 'POST' && !/^application\/(graphql\+)?json(;|$)/.test(contentType))
    return { status: 415, code: 'BAD_REQUEST', message: 'Send the operation as application/json.' };
  // Decompressed, a body could have any size. As it is, it would seem not to be JSON (RFC 9110, section 15.5.16).
  if (/\b(gzip|deflate|br|compress|zstd)\b/i.test(contentEncoding))
    return {
      status: 415,
      code: 'BAD_REQUEST',
      message: 'Send the body without compression (Content-Encoding).',
      headers: { 'accept-encoding': 'identity' },
    };
  // Yoga checks it when the operation has been executed: the client of a mutation would get nothing of what it paid for.
  if (!acceptsAny(acceptedRanges, answerTypes))
    return {
      status: 406,
      code: 'BAD_REQUEST',
      message: `The Accept header allows no answer. Nothing was sent. Accept one of ${answerTypes.join(', ')}.`,
    };
  if (Number(contentLength) > maxBodyBytes)
    return {
      status: 413,
      code: 'LIMIT_EXCEEDED',
      message: `The request body is larger than ${maxBodyBytes} bytes.`,
      setting: 'MAX_BODY_BYTES',
    };
  return undefined;
}

const answerTypes = ['application/graphql-response+json', 'application/json', ...eventTypes] as const;

/** Remembers the hosts of recent requests, because parsing one costs as much as the rest of the checks. */
function createHostCheck(): (host: string) => boolean {
  const known = new LRUCache<string, boolean>({ max: 100 });
  return (host) => {
    const remembered = known.get(host);
    if (remembered !== undefined) return remembered;
    const isValid = URL.canParse(`http://${host}`) && !/[/\\?#@]/.test(host);
    known.set(host, isValid);
    return isValid;
  };
}

/** Whether the address has an operation, or the id of its document, which `extensions` may hold. */
function namesOperation(request: IncomingMessage): boolean {
  const parameters = new URLSearchParams(request.url?.slice(pathOf(request).length));
  return ['query', 'documentId', 'extensions'].some((name) => parameters.has(name));
}

export function isForEditor({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true;
}
