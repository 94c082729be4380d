/** From the primary process to one that serves. */
export type Order =
  /** The answer to `loaded`. `slot` decides its share of the limits, `number` names it in the log and the figures. */
  | { readonly type: 'start'; readonly number: number; readonly slot: number }
  | { readonly type: 'drain' | 'reload-keys' }
  | { readonly type: 'stop'; readonly signal: string }
  /** Asks for the figures of the process. */
  | { readonly type: 'read-figures'; readonly id: number }
  /** The figures of all processes, which the process asked for. */
  | { readonly type: 'all-figures'; readonly id: number; readonly text: string };

/** From a process that serves to the primary. */
export type Report =
  /** It can get orders. */
  | { readonly type: 'loaded' }
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'figures'; readonly id: number; readonly text: string }
  | { readonly type: 'read-all-figures'; readonly id: number };

/** Both ends are the same program, so that messages with a type are whole. Node sends messages of its own on the same channel. */
function isTyped(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message;
}

export function isOrder(message: unknown): message is Order {
  return isTyped(message);
}

export function isReport(message: unknown): message is Report {
  return isTyped(message);
}

/** Requests over the channel that wait for their replies. */
export interface PendingReads {
  /** Sends a request. Resolves with its reply, or with undefined if none comes in time. */
  read(send: (id: number) => void): Promise<string | undefined>;
  settle(id: number, text: string): void;
}

export function createPendingReads(timeoutMs: number): PendingReads {
  const waiting = new Map<number, (text: string | undefined) => void>();
  let lastId = 0;
  return {
    async read(send) {
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      waiting.set(id, resolve);
      const timer = setTimeout(() => resolve(undefined), timeoutMs);
      try {
        send(id);
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    settle: (id, text) => waiting.get(id)?.(text),
  };
}
