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
  /** Resolves when the operation may pull its next event. Until then the source coalesces the events of a slow reader. */
  send(text: string): Promise<void>;
}

/** Above this, the server stops reading from the socket, so that the client cannot queue more operations. */
const pauseReadingBytes = 4_194_304;

/** `connection` is the TCP socket below `socket`. */
export function createSocketWriter(
  socket: WebSocket,
  { connection, sendBuffers }: { readonly connection: Socket; readonly sendBuffers: SendBuffers },
): SocketWriter {
  let bufferedMessages = 0;
  const buffer = sendBuffers.open({
    facts: { transport: 'websocket' },
    socket: connection,
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
    send(text) {
      isTurnTaken = false;
      // A failed write closes the socket, and closing ends its operations.
      if (socket.readyState !== socket.OPEN) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      bufferedMessages += 1;
      if (text.length > maxStringLength) {
        socket.send(Buffer.from(text), { binary: false }, onWritten);
        // Resolve now: a caller that waited would keep the string alive. `waitForTurn` holds back its next event instead.
        resolve();
      } else {
        socket.send(text, () => {
          onWritten();
          resolve();
        });
      }
      buffer.update();
      if (socket.bufferedAmount > pauseReadingBytes) socket.pause();
      startNextTurn();
      return promise;
    },
  };
}
