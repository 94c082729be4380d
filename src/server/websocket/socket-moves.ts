import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/clock.ts';

/** Closes a WebSocket with code 1012, "service restart". graphql-ws clients reconnect after it, and repeat their open operations. */
export function closeForRestart(socket: Pick<WebSocket, 'close'>): void {
  socket.close(1012, 'Service restart');
}

/** Time for the close frame to reach the client. */
const closingMs = 1000;

/** Ends a WebSocket that is being closed if its client does not answer. */
export function terminateLater(socket: WebSocket, clock: Clock): void {
  socket.once(
    'close',
    clock.after(closingMs, () => socket.terminate()),
  );
}

/** How long an operation waits for the creates and queries of its socket that are in flight. */
const patienceMs = 5000;

/** A WebSocket and its open operations. */
export interface MovableSocket {
  readonly socket: Pick<WebSocket, 'readyState' | 'OPEN' | 'close'>;
  /** Whether the answer or the first event of an operation is on the way. */
  readonly hasInFlight: boolean;
  /** Whether it watches a stream that this server runs. Feeds, and streams that other servers run, continue there. */
  readonly hasOwnStream: boolean;
}

/**
 * Moves the clients of a draining server to others: it closes their sockets with code 1012 as soon as they lose nothing. A
 * repeated create has the same operation id, so it attaches to its first attempt.
 */
export interface SocketMoves {
  /** Call when the drain begins, and when an operation of the socket ends. */
  closeIfDone(moved: MovableSocket): void;
  /**
   * An operation arrived that this server does not start: its client repeats it on another server. The streams of the socket
   * do not delay it, because the client resumes them there.
   */
  hurry(moved: MovableSocket): void;
}

export interface SocketMovesOptions {
  readonly isDraining: () => boolean;
  readonly clock: Clock;
}

export function createSocketMoves({ isDraining, clock }: SocketMovesOptions): SocketMoves {
  const hurried = new WeakSet<MovableSocket>();
  const closeIfDone = (moved: MovableSocket): void => {
    if (!isDraining() || moved.socket.readyState !== moved.socket.OPEN) return;
    const isNeeded = moved.hasInFlight || (moved.hasOwnStream && !hurried.has(moved));
    if (!isNeeded) closeForRestart(moved.socket);
  };
  return {
    closeIfDone,
    hurry(moved) {
      if (!hurried.has(moved)) clock.after(patienceMs, () => closeForRestart(moved.socket));
      hurried.add(moved);
      closeIfDone(moved);
    },
  };
}
