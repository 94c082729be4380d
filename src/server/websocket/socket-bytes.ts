import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { addPiece } from '../../lib/add-piece.ts';
import { isRecord } from '../../lib/json.ts';
import type { Clock } from '../../lib/clock.ts';
import { startArrivalDeadline } from '../admission/arrival-deadline.ts';
import type { OperationSource } from '../admission/admission-path.ts';
import type { ReceivedBody, ReceivedBytes } from '../admission/received-bytes.ts';

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

/**
 * Counts the bytes of messages that a WebSocket has partly received, or that wait for admission. A class, as everything that
 * each socket holds: closures take more memory.
 */
export class SocketBytes {
  readonly #socket: WebSocket;
  readonly #options: SocketBytesOptions;
  readonly #received: ReceivedBody;
  #waitingBytes = 0;
  #countedBytes = 0;
  #cancelDeadline: (() => void) | undefined;

  constructor(socket: WebSocket, options: SocketBytesOptions) {
    const { connection } = options;
    this.#socket = socket;
    this.#options = options;
    this.#received = options.receivedBytes.open(options.source);
    const update = (): void => {
      joinPieces(socket);
      this.#update();
    };
    // After the listener of `ws`, which adds the data to its buffers.
    connection.on('data', update);
    socket.on('close', () => {
      connection.off('data', update);
      this.#stopDeadline();
      this.#received.close();
    });
  }

  /** A whole message arrived. Returns the function that ends its accounting. */
  onMessage(sizeBytes: number): () => void {
    this.#waitingBytes += sizeBytes;
    this.#stopDeadline();
    this.#update();
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      this.#waitingBytes -= sizeBytes;
      if (this.#socket.readyState !== this.#socket.CLOSED) this.#update();
    };
  }

  #update(): void {
    const partialBytes = countPartialBytes(this.#socket);
    const bytes = partialBytes + this.#waitingBytes;
    // Pongs and small messages arrive whole.
    if (bytes === 0 && this.#countedBytes === 0) return;
    this.#countedBytes = bytes;
    try {
      this.#received.update(bytes, partialBytes);
    } catch (error) {
      this.#options.onExceeded(error);
    }
    if (partialBytes === 0) this.#stopDeadline();
    else if (!this.#cancelDeadline) this.#expectRest();
  }

  #expectRest(): void {
    const { connection, clock, onSlow } = this.#options;
    const socket = this.#socket;
    const startedAt = connection.bytesRead;
    // Control frames that arrive together are read one by one, and are partial until then.
    const update = (): void => this.#update();
    const cancel = startArrivalDeadline({
      clock,
      receivedBytes: () => connection.bytesRead - startedAt,
      isHeld: true,
      onMissed: () => {
        this.#stopDeadline();
        // The server itself does not read while the client's send buffer is full.
        if (socket.isPaused) this.#expectRest();
        else onSlow();
      },
    });
    // Only now, so that the pongs of idle sockets have one listener less.
    socket.on('ping', update).on('pong', update);
    this.#cancelDeadline = () => {
      cancel();
      socket.off('ping', update).off('pong', update);
    };
  }

  #stopDeadline(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
  }
}

/** The private receiver of `ws`: only it has the bytes of incomplete frames and messages. */
function receiverOf(socket: WebSocket): Readonly<Record<string, unknown>> {
  // Not `Reflect.get`, which is several times slower. Every pong calls this.
  const receiver: unknown = '_receiver' in socket ? socket._receiver : undefined;
  return isRecord(receiver) ? receiver : {};
}

function countPartialBytes(socket: WebSocket): number {
  const { _bufferedBytes: frameBytes, _messageLength: fragmentBytes } = receiverOf(socket);
  return Number(frameBytes ?? 0) + Number(fragmentBytes ?? 0);
}

/**
 * Joins small pieces of an incomplete frame. Each takes much memory, and `ws` takes them from the start of their list, so that
 * a frame in hundreds of thousands of packets would block the process for a minute.
 */
function joinPieces(socket: WebSocket): void {
  const { _buffers: pieces } = receiverOf(socket);
  if (!isPieces(pieces) || pieces.length < 2) return;
  const last = pieces.pop();
  if (last) addPiece(pieces, last);
}

function isPieces(value: unknown): value is Buffer[] {
  return Array.isArray(value) && Buffer.isBuffer(value[0]);
}
