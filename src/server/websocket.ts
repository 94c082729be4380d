import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Kernel } from '../graphql/context.ts';
import { isRecord } from '../lib/json.ts';
import type { Callers } from './callers.ts';
import { createContext, requestIdFrom } from './contexts.ts';
import type { Documents } from './documents.ts';
import { executeOperation, type OperationArgs, subscribeOperation } from './execution.ts';

export interface WebSocketOptions {
  readonly kernel: Kernel;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly callers: Callers;
  readonly maxMessageBytes: number;
  readonly isDraining: () => boolean;
  /** How often sockets are asked whether they are still there. @default 12000 */
  readonly pingMs?: number;
}

/** GraphQL over WebSocket (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md). */
export interface WebSocketTransport {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly sockets: number;
  /** Closes every socket with a code that makes stock clients reconnect, elsewhere or here. */
  close(): Promise<void>;
}

interface Extra {
  readonly request: IncomingMessage;
}

/** "Service restart": graphql-ws clients retry after it. */
const serviceRestart = 1012;

export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { kernel, schema, documents, callers, isDraining } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols,
  });
  const stopPings = pingAll(server, options.pingMs ?? 12_000);

  const protocol = makeServer<Record<string, unknown>, Extra>({
    schema,
    execute: (args) => executeOperation(toOperationArgs(args)),
    subscribe: (args) => subscribeOperation(toOperationArgs(args)),
    async onSubscribe({ connectionParams, extra }, id, payload) {
      if (isDraining()) return [refused('SHUTTING_DOWN', 'The server is draining; reconnect in a moment.')];
      const { headers } = extra.request;
      const requestId = requestIdFrom(headers['x-request-id']);
      kernel.log.debug(
        { requestId, operationName: payload.operationName, operationId: id },
        'operation over websocket',
      );
      try {
        const document = documents.parse(payload.query);
        const errors = documents.validate(document);
        if (errors.length > 0) return errors;
        const caller = await callers.find(headers, connectionParams, editorHeaders(payload));
        return {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: createContext(kernel, { caller, transport: 'websocket', requestId, operationId: id }),
        };
      } catch (error) {
        // Thrown out of here it would close the socket, and every other operation with it.
        if (error instanceof GraphQLError) return [error];
        kernel.log.error({ err: error, requestId }, 'an operation could not be prepared');
        return [refused('INTERNAL', `Internal error; the log has it under request id ${requestId}.`)];
      }
    },
  });

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => sendText(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) => {
          socket.on('message', (data: Buffer) => {
            receive(data.toString('utf8')).catch((error: unknown) => {
              kernel.log.error({ err: error }, 'a websocket message could not be handled');
              socket.close(CloseCode.InternalServerError, 'Internal server error');
            });
          });
        },
      },
      { request },
    );
    socket.on('error', (error) => kernel.log.debug({ err: error }, 'a websocket failed'));
    socket.once('close', (code, reason) => void closed(code, reason.toString('utf8')));
  });

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (upgraded) => server.emit('connection', upgraded, request));
    },
    get sockets() {
      return server.clients.size;
    },
    async close() {
      stopPings();
      const closed = Promise.all([...server.clients].map((socket) => closeSocket(socket, kernel)));
      server.close();
      await closed;
    },
  };
}

/** Resolves when the socket has taken the text: the next event of a slow reader waits here, and merges meanwhile. */
function sendText(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) resolve();
    // A failed write closes the socket, which ends its operations.
    else socket.send(text, () => resolve());
  });
}

function closeSocket(socket: WebSocket, { clock }: Kernel): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(1000, () => socket.terminate());
    socket.once('close', () => {
      cancel();
      resolve();
    });
    socket.close(serviceRestart, 'Service restart');
  });
}

/** One timer asks all sockets; one that has not answered by the next round is gone. */
function pingAll(server: WebSocketServer, intervalMs: number): () => void {
  const silent = new WeakSet<WebSocket>();
  server.on('connection', (socket: WebSocket) => socket.on('pong', () => silent.delete(socket)));
  const timer = setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) socket.terminate();
      else {
        silent.add(socket);
        socket.ping();
      }
    }
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** GraphiQL sends the headers typed beside an operation with that operation. */
function editorHeaders({ extensions }: SubscribePayload): unknown {
  return isRecord(extensions) ? extensions['headers'] : undefined;
}

function toOperationArgs(args: object): OperationArgs {
  // Always what `onSubscribe` returned.
  return args as OperationArgs;
}

function refused(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
