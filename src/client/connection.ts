import type { GengraphProblem } from './problem.ts';

export type ConnectionStatus =
  /** No operation needs a connection. */
  | 'idle'
  | 'connecting'
  | 'connected'
  /** The connection was lost. The client is waiting or connecting again. */
  | 'reconnecting'
  /**
   * The client gave up: the server refuses this client or its credential, and the next operation connects again. Or it was
   * disposed.
   */
  | 'closed';

export interface ConnectionState {
  readonly status: ConnectionStatus;
  /** Time of the last change, in milliseconds since 1970. */
  readonly since: number;
  /** Why the client gave up, with the advice what to do first. Null unless `closed`. */
  readonly problem: GengraphProblem | null;
}

/** The state of a connection. `current` is a new object after each change, as `useSyncExternalStore` expects. */
export interface Connection {
  readonly current: ConnectionState;
  /** Calls the listener after each change. @returns a function that removes it */
  subscribe(listener: () => void): () => void;
  /** Checks at once whether the connection is alive, and ends a back-off. Pages call it by themselves when they resume. */
  check(): void;
}

export interface WritableConnection extends Connection {
  set(status: ConnectionStatus, problem?: ConnectionState['problem']): void;
}

export function createConnection(check: () => void): WritableConnection {
  const listeners = new Set<() => void>();
  let current: ConnectionState = { status: 'idle', since: Date.now(), problem: null };
  return {
    get current() {
      return current;
    },
    subscribe(listener) {
      // Each call is its own subscription, also with a function that is subscribed already.
      const own = (): void => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },
    check,
    set(status, problem = null) {
      // A client that gave up can still be disposed.
      if (status === current.status && !problem) return;
      current = { status, since: Date.now(), problem };
      for (const listener of listeners) listener();
    },
  };
}
