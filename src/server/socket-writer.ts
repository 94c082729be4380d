import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { countFlushedBytes } from './flushed-bytes.ts';
import { highWaterMarkBytes, maxStringLength, type SendBuffers } from './send-buffers.ts';

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
}

/** Above this, the server stops reading from the socket, so that the client cannot queue more operations. */
const pauseReadingBytes = 4_194_304;

export interface SocketWriterOptions {
  /** The TCP socket below the WebSocket. */
  readonly connection: Socket;
  readonly sendBuffers: SendBuffers;
  /** See `BufferedConnection`. */
  readonly party: () => string;
}

export function createSocketWriter(socket: WebSocket, options: SocketWriterOptions): SocketWriter {
  const { connection, sendBuffers } = options;
  let bufferedMessages = 0;
  const buffer = sendBuffers.open({
    facts: { transport: 'websocket' },
    socket: connection,
    get party() {
      return options.party();
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    get bufferedMessages() {
      return bufferedMessages;
    },
    // Stock clients reconnect, as after any broken connection.
    destroy: () => socket.terminate(),
  });
  /** Subscriptions waiting to render an event. Only one renders and sends at a time, so large events do not accumulate. */
  const waiting: ((isOpen: boolean) => void)[] = [];
  let isTurnTaken = false;

  const startNextTurn = (): void => {
    if (isTurnTaken || waiting.length === 0 || socket.bufferedAmount > highWaterMarkBytes) return;
    isTurnTaken = true;
    waiting.shift()?.(true);
  };
  const onWritten = (): void => {
    bufferedMessages -= 1;
    buffer.update();
    if (socket.isPaused && socket.bufferedAmount <= pauseReadingBytes) socket.resume();
    startNextTurn();
  };
  socket.once('close', () => {
    buffer.close();
    for (const resolveTurn of waiting.splice(0)) resolveTurn(false);
  });

  const write = (text: string | Buffer, callBack: () => void): boolean => {
    isTurnTaken = false;
    if (socket.readyState !== socket.OPEN) return false;
    bufferedMessages += 1;
    if (text.length > maxStringLength) {
      socket.send(typeof text === 'string' ? Buffer.from(text) : text, { binary: false }, onWritten);
      // Now: a caller that waited would keep the string alive. `waitForTurn` holds back its next event instead.
      queueMicrotask(callBack);
    } else {
      socket.send(text, { binary: false }, () => {
        onWritten();
        callBack();
      });
    }
    buffer.update();
    if (socket.bufferedAmount > pauseReadingBytes) socket.pause();
    startNextTurn();
    return true;
  };

  return {
    get isBacklogged() {
      return buffer.isBacklogged;
    },
    get flushedBytes() {
      return countFlushedBytes(connection);
    },
    waitForTurn() {
      if (socket.readyState === socket.CLOSED) return Promise.resolve(false);
      if (!isTurnTaken && waiting.length === 0 && socket.bufferedAmount <= highWaterMarkBytes) {
        isTurnTaken = true;
        return undefined;
      }
      const turn = Promise.withResolvers<boolean>();
      waiting.push(turn.resolve);
      return turn.promise;
    },
    releaseTurn() {
      isTurnTaken = false;
      startNextTurn();
    },
    write,
    send(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (!write(text, resolve)) resolve();
      return promise;
    },
  };
}
