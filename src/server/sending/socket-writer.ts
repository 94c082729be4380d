import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { SlicedTurns } from '../../lib/fairness/fair-work.ts';
import type { JsonText } from '../../lib/json-pieces.ts';
import { countFlushedBytes } from './flushed-bytes.ts';
import {
  type BufferedClient,
  type BufferedConnection,
  highWaterMarkBytes,
  maxStringLength,
  type SendBuffer,
  type SendBuffers,
} from './send-buffers.ts';

/** The text of a message. Parts are sent without a copy, so that many sockets can share a large one. */
type Message = JsonText;

/** Events that one socket prepares at the same time, so that a slow read does not delay its other subscriptions. */
const maxPreparing = 4;

/** Above this, the server stops reading from the socket, so that the client cannot queue more operations. */
const pauseReadingBytes = 4_194_304;

/** Close code "try again later". graphql-ws clients reconnect after it. */
export const tryAgainLater = 1013;

export interface SocketWriterOptions {
  /** The TCP socket below the WebSocket. */
  readonly connection: Socket;
  readonly sendBuffers: SendBuffers;
  /** Of the events of all sockets. */
  readonly eventTurns: SlicedTurns;
  readonly client: () => BufferedClient;
}

/**
 * The send side of one WebSocket. A class, because every socket holds one: objects with getters of their own, and closures,
 * take kilobytes.
 */
export class SocketWriter implements BufferedConnection {
  readonly socket: Socket;
  readonly #webSocket: WebSocket;
  readonly #client: () => BufferedClient;
  readonly #eventTurns: SlicedTurns;
  readonly #buffer: SendBuffer;
  /** Subscriptions waiting to render an event. Only one renders and sends at a time, so large events do not accumulate. */
  readonly #waiting: ((isOpen: boolean) => void)[] = [];
  #isTurnTaken = false;
  /** Subscriptions waiting to prepare an event. Most sockets have none. */
  #preparers: Set<(isOpen: boolean) => void> | undefined;
  #preparing = 0;
  #wasLarge = false;
  bufferedMessages = 0;

  constructor(webSocket: WebSocket, { connection, sendBuffers, eventTurns, client }: SocketWriterOptions) {
    this.#webSocket = webSocket;
    this.socket = connection;
    this.#client = client;
    this.#eventTurns = eventTurns;
    this.#buffer = sendBuffers.open(this);
    webSocket.on('close', () => this.#close());
  }

  get facts(): BufferedConnection['facts'] {
    const { owner, address } = this.#client();
    return { transport: 'websocket', owner, address };
  }

  get group(): string {
    return this.#client().group;
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  /** Whether the send buffer exceeds the high-water mark. */
  get isBacklogged(): boolean {
    return this.#buffer.isBacklogged;
  }

  /** Bytes flushed to the kernel. */
  get flushedBytes(): number {
    return countFlushedBytes(this.socket);
  }

  /** Stock clients reconnect, as after any broken connection. */
  destroy(): void {
    this.#webSocket.terminate();
  }

  /** Closes the socket with code 1013. Nothing is sent afterwards. Stock clients reconnect and send their operations again. */
  closeWithoutRecords(): void {
    this.#webSocket.close(tryAgainLater, 'Records are unavailable. Retry');
  }

  /**
   * Call before an event is written in one step. Returns undefined if that may start immediately; otherwise a promise that
   * resolves to true when it may start, or to false if the socket closed. The next `send` ends the turn.
   */
  waitForTurn(): Promise<boolean> | undefined {
    if (this.#webSocket.readyState === this.#webSocket.CLOSED) return Promise.resolve(false);
    if (this.#waiting.length === 0 && this.#mayTakeTurn() && this.#eventTurns.mayRun()) {
      this.#isTurnTaken = true;
      return undefined;
    }
    const turn = Promise.withResolvers<boolean>();
    this.#waiting.push(turn.resolve);
    this.#startNextTurn();
    return turn.promise;
  }

  /** Ends a turn without a message. */
  releaseTurn(): void {
    this.#isTurnTaken = false;
    this.#startNextTurn();
  }

  /**
   * Call before an event is prepared in steps. Returns like `waitForTurn`. A few events are prepared at a time, after a large
   * one only one, and none while the socket is backlogged.
   */
  waitToPrepare(): Promise<boolean> | undefined {
    if (this.#webSocket.readyState === this.#webSocket.CLOSED) return Promise.resolve(false);
    if (this.#mayPrepare() && !this.#preparers?.size) {
      this.#preparing += 1;
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    (this.#preparers ??= new Set()).add(resolve);
    return promise;
  }

  /** Ends a preparation. Returns false if the text of this length must be prepared again later: large ones went first. */
  endPreparation(length: number): boolean {
    this.#preparing -= 1;
    this.#wasLarge = length > highWaterMarkBytes;
    if (this.#wasLarge && this.#webSocket.bufferedAmount > highWaterMarkBytes) return false;
    // The caller writes the text first.
    queueMicrotask(() => this.#startPreparing());
    return true;
  }

  #mayPrepare(): boolean {
    return (
      this.#preparing < (this.#wasLarge ? 1 : maxPreparing) &&
      this.#webSocket.bufferedAmount <= highWaterMarkBytes
    );
  }

  #startPreparing(): void {
    while (this.#preparers && this.#mayPrepare()) {
      const [start] = this.#preparers;
      if (!start) return;
      this.#preparers.delete(start);
      this.#preparing += 1;
      start(true);
    }
  }

  /**
   * Ends the turn. Calls back when the operation may take its next event. Until then the source coalesces the events of a slow
   * reader. Returns false, without a call, if the socket is closed: closing ends its operations.
   */
  write(message: Message, callBack: () => void): boolean {
    const socket = this.#webSocket;
    this.#isTurnTaken = false;
    if (socket.readyState !== socket.OPEN) return false;
    this.bufferedMessages += 1;
    if (typeof message !== 'string' || message.length > maxStringLength) {
      this.#sendParts(toParts(message));
      // Now: a caller that waited would keep the string alive. `waitForTurn` holds back its next event instead.
      queueMicrotask(callBack);
    } else {
      socket.send(message, { binary: false }, () => {
        this.#onWritten();
        callBack();
      });
    }
    this.#buffer.update();
    if (socket.bufferedAmount > pauseReadingBytes) socket.pause();
    this.#startNextTurn();
    return true;
  }

  /** Like `write`. Resolves when it calls back, or if the socket is closed. */
  send(message: Message): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.write(message, resolve)) resolve();
    return promise;
  }

  /** As the fragments of one message. No other message can come between them. */
  #sendParts(parts: readonly Buffer[]): void {
    for (const part of parts.slice(0, -1)) this.#webSocket.send(part, { binary: false, fin: false });
    this.#webSocket.send(parts.at(-1) ?? '', { binary: false, fin: true }, () => this.#onWritten());
  }

  #onWritten(): void {
    const socket = this.#webSocket;
    this.bufferedMessages -= 1;
    this.#buffer.update();
    if (socket.isPaused && socket.bufferedAmount <= pauseReadingBytes) socket.resume();
    this.#startNext();
  }

  #startNext(): void {
    this.#startPreparing();
    this.#startNextTurn();
  }

  #mayTakeTurn(): boolean {
    return !this.#isTurnTaken && this.#webSocket.bufferedAmount <= highWaterMarkBytes;
  }

  /** The socket waits for the turn of its owner, and then starts the one that has waited longest. */
  #startNextTurn(): void {
    if (this.#waiting.length === 0 || !this.#mayTakeTurn()) return;
    this.#isTurnTaken = true;
    const turn = this.#eventTurns.wait(this.#turnKey);
    if (turn) void turn.then(() => this.#startTurn());
    else this.#startTurn();
  }

  #startTurn(): void {
    const start = this.#waiting[0];
    // Other messages may have filled the buffer. The next one that is written starts the turn again.
    if (!start || this.#webSocket.bufferedAmount > highWaterMarkBytes) this.#isTurnTaken = false;
    else this.#waiting.shift()?.(true);
  }

  get #turnKey(): string {
    const { owner, group } = this.#client();
    return owner ?? group;
  }

  #close(): void {
    this.#buffer.close();
    for (const resolveTurn of [...this.#waiting.splice(0), ...(this.#preparers ?? [])]) resolveTurn(false);
    this.#preparers = undefined;
  }
}

function toParts(message: Message): readonly Buffer[] {
  return typeof message === 'string' ? [Buffer.from(message)] : message;
}
