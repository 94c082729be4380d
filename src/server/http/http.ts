import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Server as TcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { isLogged, type Log } from '../../lib/log.ts';
import { createCompressor } from '../../lib/compress.ts';
import { createInFlight } from '../../lib/in-flight.ts';
import { acceptsAny, createMediaRanges } from '../../lib/media-ranges.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import type { Caller } from '../../gateway/caller.ts';
import { createRequestIds } from '../operation/request-ids.ts';
import { applyCors, type CorsOrigins, mayOpenSocket } from './cors.ts';
import { hasOneHost, transportOf } from '../callers/request-headers.ts';
import { traceRefused } from '../operation/trace-refused.ts';
import { findTrace } from '../operation/traces.ts';
import { type Refusal, sendJson, sendRefusal } from '../sending/refusal.ts';
import type { BufferedClient, SendBuffers } from '../sending/send-buffers.ts';
import { TrackedResponse } from '../sending/tracked-response.ts';
import type { WebSocketTransport } from '../websocket/websocket.ts';

type NodeServer = Server<typeof IncomingMessage, typeof TrackedResponse>;

export type Handler = (
  request: IncomingMessage,
  response: TrackedResponse,
  requestId: string,
) => Promise<void> | void;

/** `records`: a write of records fails or takes too long. */
export type Obstacle = 'draining' | 'records' | 'key set';

export interface HttpServerOptions {
  readonly log: Log;
  readonly graphql: Handler;
  readonly graphiql: Handler;
  readonly webSockets: WebSocketTransport;
  readonly maxBodyBytes: number;
  readonly keepAliveMs: number;
  readonly corsOrigins: CorsOrigins;
  readonly sendBuffers: SendBuffers;
  /** Whose send buffers a reply counts for. */
  readonly clientOf: (request: IncomingMessage, caller: Caller | undefined) => BufferedClient;
  /** Each connection has one more answer. */
  readonly isDraining: () => boolean;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  /** Serves the figures at `/metrics`, if they belong on this port. */
  readonly serveMetrics: Handler | undefined;
  readonly addressOf: (request: IncomingMessage) => string;
  /** What prevents the server from accepting work. Undefined if it is ready. */
  readonly findObstacle: () => Promise<Obstacle | undefined>;
}

export interface HttpServer {
  listen(port: number, host: string): Promise<string>;
  /** Proxies then send new requests to other servers. Open connections stay. */
  stopListening(): void;
  /** Closes idle connections, and refuses further requests on the others. */
  refuseRequests(): void;
  /** Resolves when no request is in flight. */
  waitUntilIdle(): Promise<void>;
  close(): Promise<void>;
}

/** Most requests of one connection that wait for their answers. Node reads 2 MB of pipelined requests before it reads others. */
const maxUnanswered = 100;

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { log } = options;
  const requests = createInFlight();
  const isValidHost = createHostCheck();
  const mediaRangesOf = createMediaRanges();
  const requestIdOf = createRequestIds();
  const unansweredOf = new WeakMap<Socket, number>();
  /** Connections that close after the request in flight. */
  const closing = new WeakSet<Socket>();
  let isRefusing = false;
  const compressor = createCompressor();
  const server = createServer({ ServerResponse: TrackedResponse }, (request, response) => {
    const { socket } = request;
    const unanswered = unansweredOf.get(socket) ?? 0;
    if (socket.destroyed || unanswered >= maxUnanswered) {
      socket.destroy();
      return;
    }
    if (options.isDraining()) {
      // Pipelined after the last request: without an answer, the client knows that it did not run.
      if (closing.has(socket)) return;
      closing.add(socket);
      // A proxy sends a POST once. A refusal would reach its client, although other servers accept it.
      response.shouldKeepAlive = false;
    }
    unansweredOf.set(socket, unanswered + 1);
    requests.add(1);
    const requestId = requestIdOf(request.headers['x-request-id']);
    response.track({
      sendBuffers: options.sendBuffers,
      compressor,
      requestId,
      client: () => options.clientOf(request, response.operation?.caller),
    });
    const startedAt = performance.now();
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      requests.add(-1);
      unansweredOf.set(socket, (unansweredOf.get(socket) ?? 1) - 1);
      report(request, response, { requestId, durationMs: performance.now() - startedAt });
    });
    route(request, response, requestId).catch((error: unknown) => {
      log.error({ err: error, requestId }, 'request handler failed unexpectedly');
      const message = `Internal error. Find it in the server log by request id ${requestId}. Try again later, with the same idempotency key.`;
      if (response.headersSent) response.destroy();
      else sendRefusal(response, { status: 500, code: 'INTERNAL', message });
    });
  });
  // Limit how long a client may take to send its request (slowloris). Replies have no time limit.
  server.requestTimeout = 120_000;
  server.headersTimeout = 30_000;
  // Longer than balancers keep idle connections, so that they do not reuse a closing one.
  server.keepAliveTimeout = options.keepAliveMs;

  /** An operation has a line of its own, so this one is for other requests. */
  const report = (
    request: IncomingMessage,
    response: TrackedResponse,
    { requestId, durationMs }: { readonly requestId: string; readonly durationMs: number },
  ): void => {
    const { method = '' } = request;
    const { statusCode: status, refusal } = response;
    const path = pathOf(request);
    const isReported = response.operation?.isReported === true;
    const isUsual =
      path.startsWith('/health') ||
      path === '/metrics' ||
      (path === '/graphql' && (status < 400 || isReported));
    const level = isUsual ? 'debug' : status === 429 || status >= 500 ? 'warn' : 'info';
    if (isLogged(log, level))
      log[level](
        {
          requestId,
          method,
          path,
          status,
          durationMs: Math.round(durationMs),
          address: options.addressOf(request),
          code: refusal?.code,
          reason: refusal?.message,
          limit: refusal?.setting,
        },
        response.writableFinished ? 'request' : 'request aborted by the client',
      );
    if (options.tracing && response.writableFinished && !isReported && isOperation(request, path))
      // It was answered before its execution.
      traceRefused(options.tracing, {
        requestId,
        transport: transportOf(request),
        trace: findTrace(request.headers),
        codes: [refusal?.code ?? (status >= 500 ? 'INTERNAL' : 'BAD_REQUEST')],
        durationMs,
      });
    options.metrics?.record('http.server.request.duration', durationMs / 1000, {
      'http.request.method': method,
      'http.route': routeOf(path),
      'http.response.status_code': status,
    });
  };

  const route = async (
    request: IncomingMessage,
    response: TrackedResponse,
    requestId: string,
  ): Promise<void> => {
    if (!hasOneHost(request)) {
      response.refusal = badHost;
      return sendRefusal(response, badHost);
    }
    if (applyCors(request, response, options.corsOrigins)) return;
    if (options.serveMetrics && pathOf(request) === '/metrics')
      return options.serveMetrics(request, response, requestId);
    if (pathOf(request).startsWith('/graphiql/')) return options.graphiql(request, response, requestId);
    switch (pathOf(request)) {
      case '/graphql': {
        if (isForEditor(request)) return options.graphiql(request, response, requestId);
        response.acceptedRanges = mediaRangesOf(request.headers.accept);
        const { acceptedRanges } = response;
        const refusal = refuse(request, { ...options, acceptedRanges, isRefusing, isValidHost });
        response.refusal = refusal;
        return refusal ? sendRefusal(response, refusal) : options.graphql(request, response, requestId);
      }
      case '/':
        // Relative, because a proxy may serve this server below a path.
        response.writeHead(302, { location: 'graphql' }).end();
        return;
      case '/health/live':
        sendJson(response, 200, { status: 'live' });
        return;
      case '/health/ready': {
        const obstacle = await options.findObstacle();
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

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const refuse = (status: string, limit?: string): void => {
      const address = options.addressOf(request);
      log[limit === undefined ? 'info' : 'warn'](
        { address, path: pathOf(request), status: Number(status.slice(0, 3)), limit },
        'websocket refused',
      );
      refuseUpgrade(socket, status);
    };
    // A proxy repeats it on another server. On a connection of its own, the client learns why it closes.
    if (options.isDraining() && unansweredOf.has(request.socket)) {
      socket.destroy();
      return;
    }
    const limit = options.webSockets.findExceeded(request);
    if (!hasOneHost(request)) refuse('400 Bad Request');
    else if (pathOf(request) !== '/graphql') refuse('404 Not Found');
    else if (!mayOpenSocket(request, options.corsOrigins)) refuse('403 Forbidden');
    else if (limit !== undefined) refuse('503 Service Unavailable', limit);
    else options.webSockets.upgrade(request, socket, head);
  });

  return {
    listen: (port, host) => listen(server, port, host),
    stopListening: () => stopAfterArrivals(server),
    refuseRequests() {
      isRefusing = true;
      server.closeIdleConnections();
    },
    waitUntilIdle: () => requests.waitUntilIdle(),
    close: () => closeServer(server),
  };
}

const badHost: Refusal = {
  status: 400,
  code: 'BAD_REQUEST',
  message: 'The request must have exactly one Host header.',
  headers: { connection: 'close' },
};

function refuseUpgrade(socket: Duplex, status: string): void {
  // Close both directions: a half-open client would delay the shutdown.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function listen(server: NodeServer, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // The address of a TCP server is an AddressInfo.
      const { port: bound } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

/** Unlike `close`, without the idle connections: a proxy may be sending a request on one. */
function stopListening(server: NodeServer): void {
  if (server.listening) TcpServer.prototype.close.call(server);
}

/** An iteration of the event loop in which almost nothing happened. */
const quietMs = 0.2;
const maxIterations = 100;

/**
 * The kernel resets connections that it has established and that are not accepted yet. Each iteration of the event loop accepts
 * them, so this stops listening at the end of a short one.
 */
function stopAfterArrivals(server: NodeServer, iterations = 1): void {
  // Closed meanwhile: a busy loop would hold it and all that its clients hold.
  if (!server.listening) return;
  const startedAt = performance.now();
  setImmediate(() => {
    const isQuiet = performance.now() - startedAt < quietMs;
    if (isQuiet || iterations === maxIterations) stopListening(server);
    else stopAfterArrivals(server, iterations + 1);
  });
}

async function closeServer(server: NodeServer): Promise<void> {
  stopListening(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  // Calls back when the last connection has closed, with an error if it no longer listened.
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

const routes: ReadonlySet<string> = new Set(['/', '/graphql', '/health/live', '/health/ready', '/metrics']);

function routeOf(path: string): string | undefined {
  return path.startsWith('/graphiql/') ? '/graphiql/*' : routes.has(path) ? path : undefined;
}

interface RefuseOptions extends Pick<HttpServerOptions, 'maxBodyBytes'> {
  readonly isRefusing: boolean;
  readonly acceptedRanges: readonly string[];
  readonly isValidHost: (host: string) => boolean;
}

/** Rejects requests before their body is read. */
function refuse(
  { method, headers }: IncomingMessage,
  { isRefusing, maxBodyBytes, acceptedRanges, isValidHost }: RefuseOptions,
): Refusal | undefined {
  if (isRefusing) {
    const message = 'The server is draining. Retry in a moment.';
    return {
      status: 503,
      code: 'SHUTTING_DOWN',
      message,
      headers: { connection: 'close', 'retry-after': '1' },
    };
  }
  const { host = '', 'content-type': contentType = '', 'content-length': contentLength = 0 } = headers;
  // Yoga builds a URL from it. If that throws, Yoga sends the stack trace to the client.
  if (host !== '' && !isValidHost(host))
    return { status: 400, code: 'BAD_REQUEST', message: 'The Host header is invalid.' };
  // CSRF protection: any page can post a form without a CORS preflight, but not JSON.
  if (method === 'POST' && !/^application\/(graphql\+)?json(;|$)/.test(contentType))
    return { status: 415, code: 'BAD_REQUEST', message: 'Send the operation as application/json.' };
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

const answerTypes = ['application/graphql-response+json', 'application/json', 'text/event-stream'] as const;

/** Remembers the hosts of recent requests, because parsing one costs as much as the rest of the checks. */
function createHostCheck(): (host: string) => boolean {
  const known = new LRUCache<string, boolean>({ max: 100 });
  return (host) => {
    const remembered = known.get(host);
    if (remembered !== undefined) return remembered;
    const isValid = URL.canParse(`http://${host}`);
    known.set(host, isValid);
    return isValid;
  };
}

function isOperation(request: IncomingMessage, path: string): boolean {
  const { method } = request;
  return path === '/graphql' && (method === 'GET' || method === 'POST') && !isForEditor(request);
}

function isForEditor({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true;
}
