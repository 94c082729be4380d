import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  type Message as ProtocolMessage,
  MessageType,
  type SubscribeMessage,
  type SubscribePayload,
  validateMessage,
} from 'graphql-ws';
import type { WebSocket } from 'ws';
import { RateLimitError } from '../../errors.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { forEachInPieces } from '../../lib/fairness/large-work.ts';
import { randomId } from '../../lib/ids.ts';
import type { InFlight } from '../../lib/in-flight.ts';
import { isRecord, stringifyJson } from '../../lib/json.ts';
import { sizeOfValue } from '../../lib/json-size.ts';
import { LazyMap } from '../../lib/lazy-map.ts';
import type { Log } from '../../lib/log.ts';
import { abbreviate } from '../../lib/text.ts';
import { codeOf } from '../../lib/thrown.ts';
import { ownerOrAddress } from '../admission/admission-path.ts';
import { type Acceptance, IdleSocket } from '../admission/idle-sockets.ts';
import type { ReceivedBytes } from '../admission/received-bytes.ts';
import { pickParams, pickUpgradeHeaders } from '../callers/held-headers.ts';
import { readHeaders } from '../callers/request-headers.ts';
import { TokenExpiredError } from '../callers/sign-in/token-expired.ts';
import { Operation, type OperationOptions } from '../operation/operation.ts';
import { exceededOf } from '../operation/report-operation.ts';
import { requestIdFrom } from '../operation/request-ids.ts';
import { traceRefused } from '../operation/trace-refused.ts';
import { findTrace } from '../operation/traces.ts';
import type { SendBuffers } from '../sending/send-buffers.ts';
import { SocketWriter, tryAgainLater } from '../sending/socket-writer.ts';
import { MessageReader, refused } from './message-reader.ts';
import type { RecordWaits, WaitingSocket } from './record-waits.ts';
import { SocketBytes } from './socket-bytes.ts';
import { SocketExpiry } from './socket-expiry.ts';
import { type MovableSocket, type SocketMoves, terminateLater } from './socket-moves.ts';
import { type OperationSocket, SocketOperation } from './socket-operation.ts';

export interface ConnectionOptions extends OperationOptions {
  readonly receivedBytes: ReceivedBytes;
  readonly sendBuffers: SendBuffers;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly isDraining: () => boolean;
  readonly clock: Clock;
  readonly moves: SocketMoves;
  readonly recordWaits: RecordWaits;
  /** The messages of all sockets that are not handled. For a subscribe message, that is the end of the operation. */
  readonly messages: InFlight;
}

/** Time for a client to send `connection_init`. */
const initWaitMs = 3000;
/** Close code for an idle socket, whose client may reconnect. The protocol uses it for a late `connection_init`. */
const idleTimeout = CloseCode.ConnectionInitialisationTimeout;
/** Close code "message too big". */
const messageTooBig = 1009;
/** Operations of a closed socket that end in one iteration of the event loop. */
const endsPerPiece = 250;
/** Longest operation id. The server holds it while the operation is open. Clients use numbers or UUIDs. */
const maxIdChars = 200;
/** Of an id in the reason of a close frame, which has at most 123 bytes: `ws` throws for a longer one. */
const maxNamedBytes = 93;
/** Longest payload of a ping that its pong repeats. A longer one could take long to write, or nest too deeply. */
const maxRepeatedChars = 10_000;

/**
 * One WebSocket with the protocol of graphql-ws (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md). A class,
 * because closures take more memory. While a subscription is open, nothing holds its message or its execution arguments.
 */
export class Connection implements MovableSocket, WaitingSocket, OperationSocket {
  readonly socket: WebSocket;
  readonly writer: SocketWriter;
  readonly expiry: SocketExpiry;
  readonly log: Log;
  readonly #options: ConnectionOptions;
  /** Of the upgrade request. */
  readonly #headers: IncomingHttpHeaders;
  readonly #address: string;
  readonly #id = randomId('socket');
  readonly operations = new LazyMap<string, SocketOperation>();
  readonly #idle: IdleSocket;
  readonly #bytes: SocketBytes;
  readonly #reader: MessageReader;
  #state: 'new' | 'initialized' | 'acknowledged' = 'new';
  #cancelInitWait: (() => void) | undefined;
  /** The headers in `connectionParams`. */
  #params: readonly unknown[] = [];
  /** In the upgrade request or in `connectionParams`. */
  #caller: Caller | undefined;
  /** Whether its token could not be checked yet. */
  #isUnchecked = false;
  #hasRefusedMessage = false;

  constructor(socket: WebSocket, request: IncomingMessage, options: ConnectionOptions) {
    const { engine, clock } = options;
    this.socket = socket;
    this.log = engine.log;
    this.#options = options;
    this.#address = options.addressOf(request);
    this.#headers = pickUpgradeHeaders(readHeaders(request));
    this.writer = new SocketWriter(socket, {
      connection: request.socket,
      sendBuffers: options.sendBuffers,
      eventTurns: options.eventTurns,
      client: () => ({
        group: ownerOrAddress({ caller: this.#caller, address: this.#address }, engine.acceptedCallers),
        owner: this.#caller?.owner,
        address: this.#address,
      }),
    });
    this.#reader = new MessageReader((error) => this.#refuseMessage(error));
    this.expiry = new SocketExpiry(socket, engine.clock);
    this.#idle = new IdleSocket({
      clock,
      acceptance: () => this.#acceptance(),
      onIdle: (acceptance) => this.#closeIdle(acceptance),
    });
    this.#bytes = new SocketBytes(socket, {
      connection: request.socket,
      receivedBytes: options.receivedBytes,
      source: () => ({ caller: this.#caller, address: this.#address }),
      clock,
      onExceeded: (error) => this.#refuseMessage(error),
      onSlow: () => {
        this.log.warn(this.#facts(), 'websocket closed: a message arrived too slowly');
        socket.terminate();
      },
    });
    socket.on('error', (error) => {
      if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
        this.#traceRefused('LIMIT_EXCEEDED');
    });
    socket.on('message', (data: Buffer) => this.#receive(data));
    socket.on('close', () => this.#close());
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
      socket.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable');
      return;
    }
    this.#cancelInitWait = clock.after(initWaitMs, () => {
      socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
    });
  }

  get hasInFlight(): boolean {
    return this.operations.values().some(({ isInFlight }) => isInFlight);
  }

  get hasOwnStream(): boolean {
    return this.operations.values().some(({ isOwnStream }) => isOwnStream);
  }

  get awaitingRecords(): number {
    let count = 0;
    for (const { isAwaitingRecords } of this.operations.values()) if (isAwaitingRecords) count += 1;
    return count;
  }

  #receive(data: Buffer): void {
    const { messages } = this.#options;
    messages.add(1);
    const endAccounting = this.#bytes.onMessage(data.length);
    this.#reader.read(data, (value) => {
      const isReceived = value !== refused && this.socket.readyState === this.socket.OPEN;
      const message = isReceived ? toMessage(value) : undefined;
      // Goes on until its last message is written.
      if (message?.type === MessageType.Subscribe && this.#mayStart(message))
        return this.#start(message, endAccounting);
      if (isReceived) this.#handle(message);
      endAccounting();
      messages.add(-1);
    });
  }

  #handle(message: ProtocolMessage | undefined): void {
    switch (message?.type) {
      case MessageType.ConnectionInit:
        return this.#initialize(message.payload);
      case MessageType.Ping:
        return this.#answerPing(message.payload);
      case MessageType.Complete:
        return this.operations.get(message.id)?.complete();
      case MessageType.Pong:
      case MessageType.Subscribe:
        return undefined;
      default:
        this.socket.close(CloseCode.BadRequest, 'Invalid message received');
    }
  }

  #initialize(payload: Readonly<Record<string, unknown>> | null | undefined): void {
    const { callers } = this.#options;
    if (this.#state !== 'new')
      return this.socket.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
    this.#state = 'initialized';
    this.#stopInitWait();
    this.#params = pickParams(payload ?? undefined);
    const found = this.#identify();
    if (callers.checksTokens) void found.then((isUsable) => isUsable && this.#acknowledge());
    else this.#acknowledge();
  }

  /** Finds the caller. Closes the socket if its token has expired. Any other unusable identity is the error of each operation. */
  async #identify(): Promise<boolean> {
    const { callers, admission } = this.#options;
    this.#isUnchecked = false;
    try {
      const sources = { headers: this.#headers, client: this.#params };
      this.#caller = await callers.find(sources, admission.waitOfSocket(this.#address));
      this.expiry.limit(this.#caller?.token?.expiresAt);
    } catch (error) {
      this.#isUnchecked = codeOf(error) === 'AUTH_UNAVAILABLE';
      if (!(error instanceof TokenExpiredError)) return true;
      this.socket.close(CloseCode.Forbidden, 'Forbidden');
      return false;
    }
    return true;
  }

  #acknowledge(): void {
    this.#state = 'acknowledged';
    this.#send({ type: MessageType.ConnectionAck });
  }

  #mayStart({ id }: SubscribeMessage): boolean {
    const { socket } = this;
    if (id.length > maxIdChars) socket.close(CloseCode.BadRequest, 'Invalid message received');
    else if (this.#state !== 'acknowledged') socket.close(CloseCode.Unauthorized, 'Unauthorized');
    else if (this.operations.get(id))
      socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${toNamed(id)} already exists`);
    else return true;
    return false;
  }

  #start({ id, payload }: SubscribeMessage, endAccounting: () => void): void {
    const operation = this.#createOperation(id, payload);
    const { requestId } = operation;
    const { operationName } = payload;
    this.log.debug({ requestId, operationName, operationId: id }, 'operation over websocket');
    this.#idle.begin();
    if (this.#isUnchecked) void this.#identify();
    new SocketOperation(id, this).start(operation, payload, endAccounting);
  }

  #createOperation(operationId: string, { extensions, operationName }: SubscribePayload): Operation {
    // GraphiQL sends the headers from its headers pane in the `extensions` of the operation.
    const editorHeaders = isRecord(extensions) ? extensions['headers'] : undefined;
    return new Operation(this.#options, {
      transport: 'websocket',
      requestId: requestIdFrom(this.#headers['x-request-id']),
      address: this.#address,
      headers: this.#headers,
      client: [...this.#params, editorHeaders],
      socketId: this.#id,
      operationId,
      isAwaited: () => this.operations.get(operationId) !== undefined,
      operationName,
    });
  }

  get isDraining(): boolean {
    return this.#options.isDraining();
  }

  move(): void {
    this.#options.moves.hurry(this);
  }

  awaitRecords(): void {
    this.#options.recordWaits.begin(this);
  }

  fail(err: unknown): void {
    this.log.error({ err }, 'failed to handle a websocket message');
    this.socket.close(CloseCode.InternalServerError, 'Internal server error');
  }

  onEnd(): void {
    this.#idle.end();
    this.#options.messages.add(-1);
    this.#options.moves.closeIfDone(this);
  }

  #answerPing(payload: Readonly<Record<string, unknown>> | undefined): void {
    const isRepeated = payload && sizeOfValue(payload, maxRepeatedChars) <= maxRepeatedChars;
    this.#send({ type: MessageType.Pong, ...(isRepeated && { payload }) });
  }

  #send(message: ProtocolMessage): void {
    this.writer.write(stringifyJson(message), () => {});
  }

  #stopInitWait(): void {
    this.#cancelInitWait?.();
    this.#cancelInitWait = undefined;
  }

  #close(): void {
    this.#stopInitWait();
    void this.#completeAll();
    this.#idle.close();
    this.expiry.close();
  }

  /** Operations in flight at once. Open subscriptions can be very many: other work runs in between. */
  async #completeAll(): Promise<void> {
    const { operations } = this;
    for (const operation of operations.values()) if (operation.isInFlight) operation.complete();
    await forEachInPieces(operations.values(), endsPerPiece, (operation) => operation.complete());
  }

  /** For log lines. */
  #facts(): object {
    return { transport: 'websocket', owner: this.#caller?.owner, address: this.#address };
  }

  #acceptance(): Acceptance {
    if (!this.#caller) return this.#isUnchecked ? 'unaccepted' : 'anonymous';
    return this.#options.engine.acceptedCallers.has(this.#caller) ? 'accepted' : 'unaccepted';
  }

  #closeIdle(acceptance: Exclude<Acceptance, 'accepted'>): void {
    this.log.info(this.#facts(), 'websocket closed: it ran no operation');
    // Stock clients give up after code 4401. After 4408, those that keep idle sockets open reconnect.
    if (acceptance === 'anonymous')
      this.socket.close(CloseCode.Unauthorized, 'No credential and no operation');
    else this.socket.close(idleTimeout, 'No operation');
  }

  /** Closes a socket that sends too much, and reads nothing more from it. */
  #refuseMessage(error: unknown): void {
    const { socket } = this;
    this.#traceRefused(codeOf(error));
    if (socket.readyState !== socket.OPEN) return;
    const isBusy = error instanceof RateLimitError;
    const reason = error instanceof Error ? error.message : undefined;
    this.log[isBusy ? 'warn' : 'info'](
      { ...this.#facts(), reason, limit: exceededOf(error)?.limit },
      'websocket closed: a message exceeds a limit',
    );
    if (isBusy) socket.close(tryAgainLater, 'Too many large messages. Retry');
    else socket.close(messageTooBig, 'Message too big');
    socket.pause();
    terminateLater(socket, this.#options.clock);
  }

  /** Exports the span of the first message that is not parsed. */
  #traceRefused(code: string): void {
    if (this.#hasRefusedMessage) return;
    this.#hasRefusedMessage = true;
    traceRefused(this.#options.engine.tracing, {
      requestId: requestIdFrom(this.#headers['x-request-id']),
      transport: 'websocket',
      trace: findTrace(this.#headers, ...this.#params),
      codes: [code],
      durationMs: 0,
    });
  }
}

/** An id as the reason of a close frame names it. */
function toNamed(id: string): string {
  // A character has at most three bytes.
  return Buffer.byteLength(id) > maxNamedBytes ? abbreviate(id, maxNamedBytes / 3) : id;
}

/** Undefined if it is not a message of the protocol. */
function toMessage(value: unknown): ProtocolMessage | undefined {
  try {
    return validateMessage(value);
  } catch {
    return undefined;
  }
}
