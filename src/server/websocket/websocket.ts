import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { RateLimitError } from '../../errors.ts';
import { createEventWriters } from '../operation/compiled/event-writers.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Engine } from '../../generations/engine.ts';
import type { Clock } from '../../lib/clock.ts';
import { createInFlight, type InFlight } from '../../lib/in-flight.ts';
import { isRecord } from '../../lib/json.ts';
import type { Admission, Permit } from '../admission/admission.ts';
import { partyOf } from '../admission/admission-path.ts';
import { type IdleSocket, type Standing, watchIdleSocket } from '../admission/idle-sockets.ts';
import type { RecallCaller } from '../admission/recall-callers.ts';
import type { ReceivedBytes } from '../admission/received-bytes.ts';
import type { SocketCounts } from '../admission/socket-counts.ts';
import { TokenExpiredError } from '../callers/sign-in/token-expired.ts';
import { awaitRecords, shouldAwaitRecords } from '../operation/await-records.ts';
import type { Callers } from '../callers/callers.ts';
import { pickParams } from '../callers/client-params.ts';
import { requestIdFrom } from '../operation/request-ids.ts';
import type { Documents } from '../operation/documents.ts';
import { executeOperation, type OperationArgs } from '../operation/execution.ts';
import type { WebSocketMessage } from '../operation/exact-integers.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createLargeResults } from '../sending/large-answers.ts';
import { createMessageReader } from './message-reader.ts';
import { trackSocketBytes } from '../sending/socket-bytes.ts';
import type { EventPreparation } from '../operation/event-preparation.ts';
import type { IntrospectionRuns } from '../operation/introspection-runs.ts';
import {
  type AdmittedArgs,
  type Extra,
  isSubscription,
  type OpenedArgs,
  type Params,
  prepareOrOpen,
} from './prepare-operation.ts';
import { createPushedSubscriptions, createTakenOver } from './pushed-subscriptions.ts';
import { readHeaders } from '../callers/request-headers.ts';
import { sizeOfAnswer } from '../sending/size-of-answer.ts';
import { watchSocketExpiry } from './socket-expiry.ts';
import { createSocketMoves, serviceRestart, type SocketMoves } from './socket-moves.ts';
import { createSocketOperations } from './socket-operations.ts';
import { createSocketWriter, tryAgainLater } from '../sending/socket-writer.ts';
import { codeOf, exceededOf } from '../operation/report-operation.ts';
import type { SendBuffers } from '../sending/send-buffers.ts';
import { traceRefused } from '../operation/trace-refused.ts';
import { findTrace } from '../operation/traces.ts';
import { pickUpgradeHeaders } from '../callers/upgrade-headers.ts';

export interface WebSocketOptions {
  readonly engine: Engine;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly introspections: IntrospectionRuns;
  readonly preparation: EventPreparation;
  readonly callers: Callers;
  readonly recallCaller: RecallCaller;
  readonly admission: Admission;
  readonly receivedBytes: ReceivedBytes;
  readonly socketCounts: SocketCounts;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly maxMessageBytes: number;
  readonly sendBuffers: SendBuffers;
  readonly isDraining: () => boolean;
  readonly clock: Clock;
  /** Ping interval. */
  readonly heartbeatMs: number;
}

/** GraphQL over WebSocket (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md). */
export interface WebSocketTransport {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The setting of the limit that another socket of the client would exceed. */
  findExceeded(request: IncomingMessage): string | undefined;
  readonly sockets: number;
  /** Resolves when no operation is open and the last message of each has been sent. */
  waitUntilIdle(): Promise<void>;
  /** Call when the drain begins. Closes the sockets that need this server no longer, now and as their operations end. */
  drain(): void;
  /** Closes every socket with code 1012. Stock clients reconnect after it. */
  close(): Promise<void>;
}

/** Close code for an idle socket, whose client may reconnect. The protocol uses it for a late `connection_init`. */
const idleTimeout = CloseCode.ConnectionInitialisationTimeout;
/** Close code "message too big". */
const messageTooBig = 1009;

/** Longest operation id. The server holds it while the operation is open. Clients use numbers or UUIDs. */
const maxIdChars = 200;

export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { engine, schema, isDraining } = options;
  const { log } = engine;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    // One message of a socket per iteration of the event loop, so that other sockets take turns with it.
    allowSynchronousEvents: false,
    perMessageDeflate: false,
    handleProtocols,
  });
  const eventWriters = createEventWriters(engine.maxAnswerBytes);
  const messages = createInFlight();
  const takenOver = createTakenOver();
  const extras = new WeakMap<WebSocket, Extra>();
  const moves = createSocketMoves(options);
  const stopHeartbeat = startHeartbeat(server, {
    clock: options.clock,
    intervalMs: options.heartbeatMs,
    writerOf: (socket) => extras.get(socket)?.writer,
  });

  const protocol = makeServer<Params, Extra>({
    schema,
    // graphql-ws passes on what `onSubscribe` returned.
    execute: (args) => executeOperation(args as OperationArgs, options.introspections),
    subscribe: (args) => (args as OpenedArgs).opened,
    onConnect(connection) {
      const { extra } = connection;
      extra.params = pickParams(connection.connectionParams);
      extra.subscriptions = connection.subscriptions;
      // Deleting the member would make the object a slow one.
      Object.assign(connection, { connectionParams: undefined });
      const sources = { headers: extra.headers, client: extra.params };
      const found = options.callers.find(sources).then(
        (caller) => {
          extra.caller = caller;
          extra.expiry.limit(caller?.token?.expiresAt);
          return true;
        },
        // After false, the socket is closed with code 4403. Any other unusable identity is the error of each operation.
        (error: unknown) => !(error instanceof TokenExpiredError),
      );
      return options.callers.checksTokens ? found : undefined;
    },
    async onSubscribe(connection, id, payload) {
      const prepared = await prepareOrOpen({ ...options, eventWriters }, { connection, id, payload });
      if (prepared !== 'draining') return prepared;
      // graphql-ws sends nothing for an operation that is no longer open.
      delete connection.subscriptions[id];
      moves.hurry(connection.extra);
      return takenOver;
    },
    onNext({ extra }, id, _payload, args, result) {
      // A subscription that is not pushed has only an error.
      if (isSubscription(args)) return undefined;
      // graphql-ws passes on what `onSubscribe` returned.
      (args as AdmittedArgs).permit.countAnswer(() => sizeOfAnswer(result));
      if (shouldAwaitRecords(result.errors, args as AdmittedArgs)) extra.writer.closeToRetry(awaitRecords);
      return extra.largeResults.replace(id, result);
    },
  });

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    socket.on('error', (error) => engine.log.debug({ err: error }, 'websocket error'));
    if (isDraining()) {
      socket.close(serviceRestart, 'Service restart');
      return;
    }
    const writer = createSocketWriter(socket, {
      connection: request.socket,
      sendBuffers: options.sendBuffers,
      client: () => ({
        party: partyOf(extra, engine.acceptedCallers),
        owner: extra.caller?.owner,
        address,
      }),
    });
    const operations = createSocketOperations();
    const address = options.addressOf(request);
    const largeResults = createLargeResults(engine.pauses);
    const pushed = createPushedSubscriptions({
      socket,
      send: (text) => writer.send(text),
      takenOver,
    });
    const headers = pickUpgradeHeaders(readHeaders(request));
    const expiry = watchSocketExpiry(socket, engine.clock);
    const extra: Extra = {
      socket,
      subscriptions: undefined,
      headers,
      address,
      params: [],
      writer,
      operations,
      pushed,
      largeResults,
      expiry,
      caller: undefined,
    };
    extras.set(socket, extra);
    const idle = watchIdleSocket({
      clock: options.clock,
      standing: () => standingOf(extra.caller, engine),
      onIdle(standing) {
        log.info(whoOf(extra), 'websocket closed: it ran no operation');
        closeIdle(socket, standing);
      },
    });
    let isRefused = false;
    const traceRefusedOnce = (code: string): void => {
      if (!isRefused) traceRefusedMessage(code, extra, engine);
      isRefused = true;
    };
    const refuse = (error: unknown): void => {
      const reason = error instanceof Error ? error.message : undefined;
      if (socket.readyState === socket.OPEN)
        log[error instanceof RateLimitError ? 'warn' : 'info'](
          { ...whoOf(extra), reason, limit: exceededOf(error)?.limit },
          'websocket closed: a message exceeds a limit',
        );
      traceRefusedOnce(codeOf(error));
      refuseMessage(error, socket, options.clock);
    };
    socket.on('error', (error) => {
      if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
        traceRefusedOnce('LIMIT_EXCEEDED');
    });
    const endCount = options.socketCounts.add(address);
    const bytes = trackSocketBytes(socket, {
      connection: request.socket,
      receivedBytes: options.receivedBytes,
      source: () => ({ caller: extra.caller, address }),
      clock: options.clock,
      onExceeded: refuse,
      onSlow() {
        log.warn(whoOf(extra), 'websocket closed: a message arrived too slowly');
        socket.terminate();
      },
    });
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => writer.send(largeResults.restore(text)),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) => {
          const handle = (message: WebSocketMessage, endAccounting: () => void): void => {
            const { type, id, payload } = isRecord(message) ? message : {};
            if (typeof id === 'string' && id.length > maxIdChars) {
              endAccounting();
              messages.add(-1);
              socket.close(CloseCode.BadRequest, 'Invalid message received');
              return;
            }
            operations.receive(payload, endAccounting);
            const isOperation = type === 'subscribe';
            if (isOperation) idle.begin();
            if (type === 'complete') operations.cancelWaiting(id);
            // Typed for text, but it also takes a parsed message.
            receive(message as string)
              .catch((error: unknown) => closeAfter(error, socket, engine))
              .finally(() => {
                const end = endOf({
                  permit: operations.end(payload),
                  idle: isOperation ? idle : undefined,
                  messages,
                  moves,
                  extra,
                });
                if (!pushed.start(payload, end)) end();
              });
          };
          const reader = createMessageReader(engine.pauses, refuse);
          socket.on('message', (data: Buffer) => {
            // `receive` resolves when the message is handled. For a subscribe message, that is the end of the operation.
            messages.add(1);
            const endAccounting = bytes.onMessage(data.length);
            reader.read(data, (message) => {
              const isOpen = socket.readyState === socket.OPEN;
              if (message !== undefined && isOpen) return handle(message, endAccounting);
              endAccounting();
              messages.add(-1);
            });
          });
        },
      },
      extra,
    );
    socket.on('close', (code, reason) => {
      operations.cancelAllWaiting();
      idle.close();
      expiry.close();
      endCount();
      closed(code, reason.toString('utf8')).catch((error: unknown) => {
        engine.log.error({ err: error }, 'failed to end the operations of a closed websocket');
      });
    });
  });

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (upgraded) => server.emit('connection', upgraded, request));
    },
    findExceeded: (request) => options.socketCounts.findExceeded(options.addressOf(request)),
    get sockets() {
      return server.clients.size;
    },
    waitUntilIdle: () => messages.waitUntilIdle(),
    drain() {
      for (const socket of server.clients) {
        const extra = extras.get(socket);
        if (extra) moves.closeIfDone(extra);
      }
    },
    async close() {
      stopHeartbeat();
      const closed = Promise.all([...server.clients].map((socket) => closeSocket(socket, engine)));
      server.close();
      await closed;
    },
  };
}

/** For log lines. */
function whoOf({ caller, address }: Extra): object {
  return { transport: 'websocket', owner: caller?.owner, address };
}

/** Without the message that began it: a subscription holds this function while it is open. */
function endOf({ permit, idle, messages, moves, extra }: MessageEnd): () => void {
  return () => {
    permit?.release();
    idle?.end();
    messages.add(-1);
    moves.closeIfDone(extra);
  };
}

interface MessageEnd {
  readonly permit: Permit | undefined;
  readonly idle: IdleSocket | undefined;
  readonly messages: InFlight;
  readonly moves: SocketMoves;
  readonly extra: Extra;
}

function closeAfter(error: unknown, socket: WebSocket, { log }: Engine): void {
  // graphql-ws closes the socket on malformed messages, but throws on valid ones that only servers may send.
  if (error instanceof Error && error.message.startsWith('Unexpected message of type')) {
    socket.close(CloseCode.BadRequest, 'Invalid message received');
    return;
  }
  log.error({ err: error }, 'failed to handle a websocket message');
  socket.close(CloseCode.InternalServerError, 'Internal server error');
}

/** Exports the span of a message that is not parsed. */
function traceRefusedMessage(code: string, { headers, params }: Extra, { tracing }: Engine): void {
  traceRefused(tracing, {
    requestId: requestIdFrom(headers['x-request-id']),
    transport: 'websocket',
    trace: findTrace(headers, ...params),
    codes: [code],
    durationMs: 0,
  });
}

/** Time for the close frame to reach the client. */
const refusalMs = 1000;

/** Closes a socket that sends too much, and reads nothing more from it. */
function refuseMessage(error: unknown, socket: WebSocket, clock: Clock): void {
  if (socket.readyState !== socket.OPEN) return;
  if (error instanceof RateLimitError) socket.close(tryAgainLater, 'Too many large messages. Retry');
  else socket.close(messageTooBig, 'Message too big');
  socket.pause();
  const cancel = clock.after(refusalMs, () => socket.terminate());
  socket.once('close', cancel);
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

function standingOf(caller: Caller | undefined, { acceptedCallers }: Engine): Standing {
  if (!caller) return 'anonymous';
  return acceptedCallers.has(caller) ? 'accepted' : 'unaccepted';
}

function closeIdle(socket: WebSocket, standing: Exclude<Standing, 'accepted'>): void {
  // Stock clients give up after code 4401. After 4408, those that keep idle sockets open reconnect.
  if (standing === 'anonymous') socket.close(CloseCode.Unauthorized, 'No credential and no operation');
  else socket.close(idleTimeout, 'No operation');
}
