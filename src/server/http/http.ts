import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createCompressor } from '../../lib/compress.ts';
import { createInFlight } from '../../lib/in-flight.ts';
import { listen } from '../../lib/listen.ts';
import type { Caller } from '../../gateway/caller.ts';
import { longestArrivalMs } from '../admission/arrival-deadline.ts';
import { hasOneHost } from '../callers/request-headers.ts';
import { createRequestIds } from '../operation/request-ids.ts';
import { sendRefusal } from '../sending/refusal.ts';
import type { BufferedClient, SendBuffers } from '../sending/send-buffers.ts';
import { TrackedResponse } from '../sending/tracked-response.ts';
import type { WebSocketTransport } from '../websocket/websocket.ts';
import { mayOpenSocket } from './cors.ts';
import { type ReportOptions, reportRequest } from './report-request.ts';
import { createRoutes, pathOf, type RouteOptions, useOriginForm } from './routes.ts';

type NodeServer = Server<typeof IncomingMessage, typeof TrackedResponse>;

export interface HttpServerOptions extends Omit<RouteOptions, 'isRefusing'>, ReportOptions {
  readonly webSockets: WebSocketTransport;
  /** The largest upload of a file. */
  readonly maxFileBytes: number;
  readonly keepAliveMs: number;
  readonly sendBuffers: SendBuffers;
  /** Whose send buffers a reply counts for. */
  readonly clientOf: (request: IncomingMessage, caller: Caller | undefined) => BufferedClient;
  /** Each connection has one more answer. */
  readonly isDraining: () => boolean;
}

/** Most requests of one connection that wait for their answers. Node reads 2 MB of pipelined requests before it reads others. */
const maxUnanswered = 100;

/** Node reads timeouts as 32 bits. */
const maxTimeoutMs = 2 ** 32 - 1;

export function createHttpServer(options: HttpServerOptions) {
  const { log } = options;
  const requests = createInFlight();
  const requestIdOf = createRequestIds();
  const unansweredOf = new WeakMap<Socket, number>();
  /** Connections that close after the request in flight. */
  const closing = new WeakSet<Socket>();
  let isRefusing = false;
  const compressor = createCompressor();
  const route = createRoutes({ ...options, isRefusing: () => isRefusing });
  const server = createServer(
    { ServerResponse: TrackedResponse, shouldUpgradeCallback },
    (request, response) => {
      const { socket } = request;
      useOriginForm(request);
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
        reportRequest(request, response, { requestId, durationMs: performance.now() - startedAt }, options);
      });
      route(request, response, requestId).catch((error: unknown) => {
        log.error({ err: error, requestId }, 'request handler failed unexpectedly');
        const message = `Internal error. Find it in the server log by request id ${requestId}. Try again later, with the same idempotency key.`;
        if (response.headersSent) response.destroy();
        else sendRefusal(response, { status: 500, code: 'INTERNAL', message });
      });
    },
  );
  // Limit how long a client may take to send its request (slowloris). Replies have no time limit.
  const longestMs = longestArrivalMs(Math.max(options.maxBodyBytes, options.maxFileBytes));
  server.requestTimeout = Math.min(Math.ceil(longestMs), maxTimeoutMs);
  server.headersTimeout = 30_000;
  // Longer than balancers keep idle connections, so that they do not reuse a closing one.
  server.keepAliveTimeout = options.keepAliveMs;

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    useOriginForm(request);
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
    listen: (port: number, host: string) => listen(server, port, host),
    /** Proxies then send new requests to other servers. Open connections stay. */
    stopListening: () => stopAfterArrivals(server),
    /** Closes idle connections, and refuses further requests on the others. */
    refuseRequests(): void {
      isRefusing = true;
      server.closeIdleConnections();
    },
    /** Resolves when no request is in flight. */
    waitUntilIdle: () => requests.waitUntilIdle(),
    close: () => closeServer(server),
  };
}

/** Clients may offer other protocols, such as h2c, which a server may ignore. Node asks from version 22.21. */
function shouldUpgradeCallback({ headers: { upgrade = '' } }: IncomingMessage): boolean {
  return upgrade.toLowerCase() === 'websocket';
}

function refuseUpgrade(socket: Duplex, status: string): void {
  // Close both directions: a half-open client would delay the shutdown.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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
