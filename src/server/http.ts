import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../graphql/context.ts';
import { requestIdFrom } from './contexts.ts';
import type { WebSocketTransport } from './websocket.ts';

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void> | void;

export interface HttpServerOptions {
  readonly log: Log;
  readonly graphql: Handler;
  readonly graphiql: Handler;
  readonly webSockets: WebSocketTransport;
  readonly isDraining: () => boolean;
  /** Whether requests can be served: records readable, not shutting down. */
  readonly isReady: () => Promise<boolean>;
}

export interface HttpServer {
  listen(port: number, host: string): Promise<string>;
  /** Takes no more connections; those that are idle end. */
  stopAccepting(): void;
  close(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { log } = options;
  const server = createServer((request, response) => {
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const startedAt = performance.now();
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const facts = {
        requestId,
        method: request.method,
        path: pathOf(request),
        status: response.statusCode,
        durationMs: Math.round(performance.now() - startedAt),
      };
      log[facts.path.startsWith('/health') ? 'debug' : 'info'](
        facts,
        response.writableFinished ? 'request' : 'request left by its client',
      );
    });
    Promise.resolve(route(request, response, requestId)).catch((error: unknown) => {
      log.error({ err: error, requestId }, 'a request failed unexpectedly');
      if (response.headersSent) response.destroy();
      else
        sendJson(response, 500, {
          errors: [
            {
              message: `Internal error; the log has it under request id ${requestId}.`,
              extensions: { code: 'INTERNAL' },
            },
          ],
        });
    });
  });
  // A client that sends its request byte by byte is not kept for ever; replies may take as long as they take.
  server.requestTimeout = 120_000;
  server.headersTimeout = 30_000;

  const route: Handler = (request, response, requestId) => {
    switch (pathOf(request)) {
      case '/graphql':
        return graphql(request, response, requestId);
      case '/':
        response.writeHead(302, { location: '/graphql' }).end();
        return undefined;
      case '/health/live':
        return sendJson(response, 200, { status: 'live' });
      case '/health/ready':
        return options
          .isReady()
          .then((isReady) =>
            sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready' }),
          );
      default:
        return sendError(response, 404, 'BAD_REQUEST', 'There is nothing here; the API is at /graphql.');
    }
  };
  const graphql: Handler = (request, response, requestId) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.headers.accept?.includes('text/html'))
      return options.graphiql(request, response, requestId);
    if (options.isDraining()) {
      response.setHeader('connection', 'close');
      response.setHeader('retry-after', '1');
      return sendError(response, 503, 'SHUTTING_DOWN', 'The server is draining; try again in a moment.');
    }
    // A form can be posted by any page without asking; JSON cannot.
    if (
      request.method === 'POST' &&
      !/^application\/(graphql\+)?json\b/i.test(request.headers['content-type'] ?? '')
    ) {
      return sendError(response, 415, 'BAD_REQUEST', 'Send the operation as application/json.');
    }
    return options.graphql(request, response, requestId);
  };

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (pathOf(request) === '/graphql') options.webSockets.upgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });

  return {
    listen: (port, host) => listen(server, port, host),
    stopAccepting() {
      server.close();
      server.closeIdleConnections();
    },
    close: () => closeServer(server),
  };
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A TCP server's address is always of this form.
      const { port: bound } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!server.listening) resolve();
  else server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, { errors: [{ message, extensions: { code } }] });
}
