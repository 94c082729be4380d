import type { Clock } from '../../lib/clock.ts';
import type { SocketWriter } from '../sending/socket-writer.ts';

/** Time between two checks. */
export const checkMs = 1000;
/** Longest wait. The client may then reach another server, which has its records. */
export const longestWaitMs = 30_000;
/** Operations of one socket that wait. The server holds their ids. */
export const maxWaiting = 100;

/** A WebSocket with operations whose client repeats them on a new one. */
export interface WaitingSocket {
  readonly writer: Pick<SocketWriter, 'closeWithoutRecords'>;
  /** Its open operations that found the records unavailable. None once it is closed. */
  readonly awaitingRecords: number;
  /** Whether it watches a stream that this server runs, and serves without the records. */
  readonly hasOwnStream: boolean;
}

/**
 * Closes the socket of an operation that found the records unavailable with code 1013. If that socket watches streams that
 * run here, it stays open until the records are back: the streams must not stop and start for an operation that fails again
 * at once. Routers share one socket among clients.
 */
export interface RecordWaits {
  /** Call when an operation waits. */
  begin(socket: WaitingSocket): void;
}

export interface RecordWaitsOptions {
  readonly clock: Clock;
  /** Whether records can be written. */
  readonly isReady: () => Promise<boolean>;
}

export function createRecordWaits({ clock, isReady }: RecordWaitsOptions): RecordWaits {
  const waiting = new WeakSet<WaitingSocket>();
  const isNeeded = ({ hasOwnStream, awaitingRecords }: WaitingSocket): boolean =>
    hasOwnStream && awaitingRecords <= maxWaiting;
  const check = async (socket: WaitingSocket, endsAt: number): Promise<void> => {
    const isOver = (await isReady()) || clock.elapsed() >= endsAt;
    if (socket.awaitingRecords === 0) waiting.delete(socket);
    else if (isOver || !isNeeded(socket)) socket.writer.closeWithoutRecords();
    else clock.after(checkMs, () => void check(socket, endsAt));
  };
  return {
    begin(socket) {
      if (!isNeeded(socket)) return socket.writer.closeWithoutRecords();
      if (waiting.has(socket)) return undefined;
      waiting.add(socket);
      void check(socket, clock.elapsed() + longestWaitMs);
      return undefined;
    },
  };
}
