import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { countFlushedBytes } from './flushed-bytes.ts';
import {
  type BufferedClient,
  type BufferedConnection,
  highWaterMarkBytes,
  maxStringLength,
  type SendBuffer,
  type SendBuffers,
} from './send-buffers.ts';

/** The send side of one WebSocket. */
export interface SocketWriter {
  /** Whether the send buffer exceeds the high-water mark. */
  readonly isBacklogged: boolean;
  /** Bytes flushed to the kernel. */
  readonly flushedBytes: number;
  /**
   * Call before an event is rendered. Returns undefined if rendering may start immediately; otherwise a promise that
   * resolves to true when it may start, or to false if the socket closed. The next `send` ends the turn.
   */
  waitForTurn(): Promise<boolean> | undefined;
  /** Ends a turn without a message. */
  releaseTurn(): void;
  /**
   * Ends the turn. Calls back when the operation may take its next event. Until then the source coalesces the events of a
   * slow reader. Returns false, without a call, if the socket is closed: closing ends its operations.
   */
  write(text: string | Buffer, onWritten: () => void): boolean;
  /** Like `write`. Resolves when it calls back, or if the socket is closed. */
  send(text: string | Buffer): Promise<void>;
  /** Closes the socket with code 1013. Nothing is sent afterwards. Stock clients reconnect and send their operations again. */
  closeToRetry(reason: string): void;
}

/** Above this, the server stops reading from the socket, so that the client cannot queue more operations. */
const pauseReadingBytes = 4_194_304;

/** Close code "try again later". graphql-ws clients reconnect after it. */
export const tryAgainLater = 1013;

export interface SocketWriterOptions {
  /** The TCP socket below the WebSocket. */
  readonly connection: Socket;
  readonly sendBuffers: SendBuffers;
  readonly client: () => BufferedClient;
}

export function createSocketWriter(socket: WebSocket, options: SocketWriterOptions): SocketWriter {
  return new Writer(socket, options);
}

/** A class, because every socket holds one: objects with getters of their own, and closures, take kilobytes. */
class Writer implements SocketWriter, BufferedConnection {
  readonly socket: Socket;
  readonly #webSocket: WebSocket;
  readonly #client: () => BufferedClient;
  readonly #buffer: SendBuffer;
  /** Subscriptions waiting to render an event. Only one renders and sends at a time, so large events do not accumulate. */
  readonly #waiting: ((isOpen: boolean) => void)[] = [];
  #isTurnTaken = false;
  bufferedMessages = 0;

  constructor(webSocket: WebSocket, { connection, sendBuffers, client }: SocketWriterOptions) {
    this.#webSocket = webSocket;
    this.socket = connection;
    this.#client = client;
    this.#buffer = sendBuffers.open(this);
    webSocket.on('close', () => this.#close());
  }

  get facts(): BufferedConnection['facts'] {
    const { owner, address } = this.#client();
    return { transport: 'websocket', owner, address };
  }

  get party(): string {
    return this.#client().party;
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  get isBacklogged(): boolean {
    return this.#buffer.isBacklogged;
  }

  get flushedBytes(): number {
    return countFlushedBytes(this.socket);
  }

  /** Stock clients reconnect, as after any broken connection. */
  destroy(): void {
    this.#webSocket.terminate();
  }

  closeToRetry(reason: string): void {
    this.#webSocket.close(tryAgainLater, reason);
  }

  waitForTurn(): Promise<boolean> | undefined {
    const { readyState, CLOSED, bufferedAmount } = this.#webSocket;
    if (readyState === CLOSED) return Promise.resolve(false);
    if (!this.#isTurnTaken && this.#waiting.length === 0 && bufferedAmount <= highWaterMarkBytes) {
      this.#isTurnTaken = true;
      return undefined;
    }
    const turn = Promise.withResolvers<boolean>();
    this.#waiting.push(turn.resolve);
    return turn.promise;
  }

  releaseTurn(): void {
    this.#isTurnTaken = false;
    this.#startNextTurn();
  }

  write(text: string | Buffer, callBack: () => void): boolean {
    const socket = this.#webSocket;
    this.#isTurnTaken = false;
    if (socket.readyState !== socket.OPEN) return false;
    this.bufferedMessages += 1;
    if (text.length > maxStringLength) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      socket.send(bytes, { binary: false }, () => this.#onWritten());
      // Now: a caller that waited would keep the string alive. `waitForTurn` holds back its next event instead.
      queueMicrotask(callBack);
    } else {
      socket.send(text, { binary: false }, () => {
        this.#onWritten();
        callBack();
      });
    }
    this.#buffer.update();
    if (socket.bufferedAmount > pauseReadingBytes) socket.pause();
    this.#startNextTurn();
    return true;
  }

  send(text: string | Buffer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.write(text, resolve)) resolve();
    return promise;
  }

  #onWritten(): void {
    const socket = this.#webSocket;
    this.bufferedMessages -= 1;
    this.#buffer.update();
    if (socket.isPaused && socket.bufferedAmount <= pauseReadingBytes) socket.resume();
    this.#startNextTurn();
  }

  #startNextTurn(): void {
    if (this.#isTurnTaken || this.#waiting.length === 0) return;
    if (this.#webSocket.bufferedAmount > highWaterMarkBytes) return;
    this.#isTurnTaken = true;
    this.#waiting.shift()?.(true);
  }

  #close(): void {
    this.#buffer.close();
    for (const resolveTurn of this.#waiting.splice(0)) resolveTurn(false);
  }
}
