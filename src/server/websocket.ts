import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type FormattedExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import {
  CloseCode,
  type Context as Connection,
  handleProtocols,
  makeServer,
  type SubscribePayload,
} from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { RequestError } from '../errors.ts';
import type { Engine } from '../generations/engine.ts';
import type { Clock } from '../lib/clock.ts';
import { createInFlight } from '../lib/in-flight.ts';
import { isRecord } from '../lib/json.ts';
import type { Callers } from './callers.ts';
import { createContext, requestIdFrom } from './contexts.ts';
import type { Documents } from './documents.ts';
import { executeOperation, maskThrown, type OperationArgs, subscribeOperation } from './execution.ts';
import { pingAll } from './pings.ts';
import { createSocketWriter, type SocketWriter } from './socket-writer.ts';
import { findTrace } from './traces.ts';
import type { Unsent } from './unsent.ts';

export interface WebSocketOptions {
  readonly engine: Engine;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly callers: Callers;
  readonly maxMessageBytes: number;
  readonly unsent: Unsent;
  readonly isDraining: () => boolean;
  readonly clock: Clock;
  /** How often sockets are asked whether they are still there. */
  readonly pingMs: number;
}

/** GraphQL over WebSocket (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md). */
export interface WebSocketTransport {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly sockets: number;
  /** Resolves when no operation is open and each one's last message has been sent. */
  waitUntilIdle(): Promise<void>;
  /** Closes every socket with a code that makes stock clients reconnect, elsewhere or here. */
  close(): Promise<void>;
}

interface Extra {
  readonly request: IncomingMessage;
  readonly writer: SocketWriter;
}

type Params = Readonly<Record<string, unknown>>;

/** "Service restart": graphql-ws clients retry after it. */
const serviceRestart = 1012;

/** Instead of an event whose socket has closed, so that it is not rendered. */
const unsendable: FormattedExecutionResult = { data: null };

export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { engine, schema, isDraining } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols,
  });
  const messages = createInFlight();
  const writers = new WeakMap<WebSocket, SocketWriter>();
  const stopPings = pingAll(server, {
    clock: options.clock,
    intervalMs: options.pingMs,
    writerOf: (socket) => writers.get(socket),
  });

  const protocol = makeServer<Params, Extra>({
    schema,
    execute: (args) => executeOperation(toOperationArgs(args)),
    subscribe: (args) => subscribeOperation(toOperationArgs(args)),
    onSubscribe: (connection, id, payload) => prepareOperation(options, { connection, id, payload }),
    onNext: ({ extra }, _id, _payload, { document, operationName }) =>
      getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION
        ? extra.writer.takeTurn()?.then((isOpen) => (isOpen ? undefined : unsendable))
        : undefined,
  });

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    socket.on('error', (error) => engine.log.debug({ err: error }, 'a websocket failed'));
    if (isDraining()) {
      socket.close(serviceRestart, 'Service restart');
      return;
    }
    const writer = createSocketWriter(socket, { connection: request.socket, unsent: options.unsent });
    writers.set(socket, writer);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: writer.send,
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) => {
          socket.on('message', (data: Buffer) => {
            // Received means handled: of an operation, to its last message.
            messages.add(1);
            receive(data.toString('utf8'))
              .catch((error: unknown) => closeAfter(error, socket, engine))
              .finally(() => messages.add(-1));
          });
        },
      },
      { request, writer },
    );
    socket.once('close', (code, reason) => {
      closed(code, reason.toString('utf8')).catch((error: unknown) => {
        engine.log.error({ err: error }, 'the operations of a closed websocket could not be ended');
      });
    });
  });

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (upgraded) => server.emit('connection', upgraded, request));
    },
    get sockets() {
      return server.clients.size;
    },
    waitUntilIdle: () => messages.waitUntilIdle(),
    async close() {
      stopPings();
      const closed = Promise.all([...server.clients].map((socket) => closeSocket(socket, engine)));
      server.close();
      await closed;
    },
  };
}

interface Subscribe {
  readonly connection: Connection<Params, Extra>;
  readonly id: string;
  readonly payload: SubscribePayload;
}

/** What to run, or the errors of this operation alone: thrown, they would close the socket and end its neighbours. */
async function prepareOperation(
  { engine, schema, documents, callers, isDraining }: WebSocketOptions,
  { connection, id, payload }: Subscribe,
): Promise<OperationArgs | readonly GraphQLError[]> {
  const { headers } = connection.extra.request;
  const requestId = requestIdFrom(headers['x-request-id']);
  const { operationName } = payload;
  engine.log.debug({ requestId, operationName, operationId: id }, 'operation over websocket');
  try {
    if (isDraining())
      throw new RequestError('SHUTTING_DOWN', 'The server is draining; reconnect in a moment.');
    const document = documents.parse(payload.query);
    documents.select(document, operationName);
    const errors = documents.validate(document);
    if (errors.length > 0) return errors;
    const { connectionParams } = connection;
    const nested = connectionParams?.['connectionParams']; // Apollo Router sends them one level deeper.
    const sources = [headers, nested, connectionParams, editorHeaders(payload)];
    const caller = await callers.find(...sources);
    const trace = findTrace(...sources);
    return {
      schema,
      document,
      operationName,
      variableValues: payload.variables,
      contextValue: createContext(engine, {
        caller,
        transport: 'websocket',
        requestId,
        operationId: id,
        trace,
      }),
    };
  } catch (error) {
    return [maskThrown(error, { requestId, engine })];
  }
}

function closeAfter(error: unknown, socket: WebSocket, { log }: Engine): void {
  // graphql-ws refuses whatever is no message, but throws at one that only servers send.
  if (error instanceof Error && error.message.startsWith('Unexpected message of type')) {
    socket.close(CloseCode.BadRequest, 'Invalid message received');
    return;
  }
  log.error({ err: error }, 'a websocket message could not be handled');
  socket.close(CloseCode.InternalServerError, 'Internal server error');
}

function closeSocket(socket: WebSocket, { clock }: Engine): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(1000, () => socket.terminate());
    socket.once('close', () => {
      cancel();
      resolve();
    });
    socket.close(serviceRestart, 'Service restart');
  });
}

/** GraphiQL sends the headers typed beside an operation with that operation. */
function editorHeaders({ extensions }: SubscribePayload): unknown {
  return isRecord(extensions) ? extensions['headers'] : undefined;
}

function toOperationArgs(args: object): OperationArgs {
  // Always what `onSubscribe` returned.
  return args as OperationArgs;
}
