import type { Context as Connection } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/clock.ts';

/** Close code "service restart". graphql-ws clients reconnect after it, and repeat their open operations. */
export const serviceRestart = 1012;

/** How long an operation waits for the creates and queries of its socket that are in flight. */
const patienceMs = 5000;

/** A WebSocket and its open operations. */
export interface MovableSocket {
  readonly socket: Pick<WebSocket, 'readyState' | 'OPEN' | 'close'>;
  /** By id: null until an operation has an answer or events. Undefined before the connection is initialized. */
  subscriptions: Connection['subscriptions'] | undefined;
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
    const open = Object.values(moved.subscriptions ?? {});
    const isNeeded = hurried.has(moved) ? isInFlight : isServedHere;
    if (!open.some(isNeeded)) moved.socket.close(serviceRestart, 'Service restart');
  };
  return {
    closeIfDone,
    hurry(moved) {
      if (!hurried.has(moved))
        clock.after(patienceMs, () => moved.socket.close(serviceRestart, 'Service restart'));
      hurried.add(moved);
      closeIfDone(moved);
    },
  };
}

type OpenOperation = Connection['subscriptions'][string];

/** Its answer or its first event is on the way. */
function isInFlight(operation: OpenOperation): boolean {
  return operation === null;
}

/** Not a feed, and not a stream that another server runs: they continue there. */
function isServedHere(operation: OpenOperation): boolean {
  return operation === null || ('isOwn' in operation && operation.isOwn === true);
}
