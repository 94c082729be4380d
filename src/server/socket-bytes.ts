import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { isRecord } from '../lib/json.ts';
import type { Clock } from '../lib/clock.ts';
import { startArrivalDeadline } from './admission/arrival-deadline.ts';
import type { OperationSource } from './admission/admission-path.ts';
import type { ReceivedBytes } from './admission/received-bytes.ts';

export interface SocketBytesOptions {
  /** The TCP socket below the WebSocket. */
  readonly connection: Socket;
  readonly receivedBytes: ReceivedBytes;
  readonly source: () => OperationSource;
  readonly clock: Clock;
  readonly onExceeded: (error: unknown) => void;
  /** A message arrives too slowly. */
  readonly onSlow: () => void;
}

/** Counts the bytes of messages that a WebSocket has partly received, or that wait for admission. */
export interface SocketBytes {
  /** A whole message arrived. Returns the function that ends its accounting. */
  onMessage(sizeBytes: number): () => void;
}

export function trackSocketBytes(socket: WebSocket, options: SocketBytesOptions): SocketBytes {
  const { connection, clock } = options;
  const received = options.receivedBytes.open(options.source);
  let waitingBytes = 0;
  let cancelDeadline: (() => void) | undefined;

  const update = (): void => {
    const partialBytes = countPartialBytes(socket);
    try {
      received.update(partialBytes + waitingBytes, partialBytes);
    } catch (error) {
      options.onExceeded(error);
    }
    if (partialBytes === 0) {
      cancelDeadline?.();
      cancelDeadline = undefined;
    } else if (!cancelDeadline) expectRest();
  };
  const expectRest = (): void => {
    const startedAt = connection.bytesRead;
    cancelDeadline = startArrivalDeadline({
      clock,
      receivedBytes: () => connection.bytesRead - startedAt,
      onMissed() {
        cancelDeadline = undefined;
        // The server itself does not read while the client's send buffer is full.
        if (socket.isPaused) expectRest();
        else options.onSlow();
      },
    });
  };
  const restart = (): void => {
    cancelDeadline?.();
    cancelDeadline = undefined;
    update();
  };
  // After the listener of `ws`, which adds the data to its buffers.
  connection.on('data', update);
  socket.on('ping', restart).on('pong', restart);
  socket.once('close', () => {
    connection.off('data', update);
    cancelDeadline?.();
    received.close();
  });
  return {
    onMessage(sizeBytes) {
      waitingBytes += sizeBytes;
      restart();
      let isCounted = true;
      return () => {
        if (!isCounted) return;
        isCounted = false;
        waitingBytes -= sizeBytes;
        if (socket.readyState !== socket.CLOSED) update();
      };
    },
  };
}

/** Bytes of incomplete frames and messages. Only the private receiver of `ws` knows them. */
export function countPartialBytes(socket: WebSocket): number {
  const receiver: unknown = Reflect.get(socket, '_receiver');
  const { _bufferedBytes: frameBytes, _messageLength: fragmentBytes } = isRecord(receiver) ? receiver : {};
  return Number(frameBytes ?? 0) + Number(fragmentBytes ?? 0);
}
