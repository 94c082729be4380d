import type { Clock } from '../lib/clock.ts';

export interface WriteRetriesOptions {
  readonly clock: Clock;
  /** `what` names the failed write in the log. */
  readonly onFailed: (error: unknown, what: string) => void;
}

/** Retries writes that failed, for example on a full disk, until they succeed. */
export interface WriteRetries {
  /** `what` names the write in the log. One that can wait delays no other: there may be very many of them. */
  add(what: string, write: () => Promise<unknown>, options?: { readonly canWait?: boolean }): void;
  readonly pending: number;
  /** Tries all pending writes once more, then drops them. */
  close(): Promise<void>;
}

interface PendingWrite {
  readonly what: string;
  readonly write: () => Promise<unknown>;
}

const firstDelayMs = 500;
/** Short, because clients wait for the ends of streams. A round stops at its first failure, so it is cheap. */
const maxDelayMs = 2000;

export function createWriteRetries(options: WriteRetriesOptions): WriteRetries {
  const [first, others] = [createLane(options), createLane(options)];
  return {
    add: (what, write, { canWait = false } = {}) => (canWait ? others : first).add(what, write),
    get pending() {
      return first.pending + others.pending;
    },
    async close() {
      await Promise.all([first.close(), others.close()]);
    },
  };
}

function createLane({ clock, onFailed }: WriteRetriesOptions): WriteRetries {
  let writes: PendingWrite[] = [];
  let delayMs = firstDelayMs;
  let cancelTimer: (() => void) | undefined;
  let retrying: Promise<void> | undefined;

  const attempt = async ({ what, write }: PendingWrite): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch (error) {
      onFailed(error, what);
      return false;
    }
  };
  /** Stops at the first failure. The next round begins after that write, which may fail for a reason of its own. */
  const retryAll = async (): Promise<void> => {
    const due = writes;
    writes = [];
    for (const [index, pending] of due.entries()) {
      if (await attempt(pending)) continue;
      writes = [...due.slice(index + 1), pending, ...writes];
      return;
    }
    delayMs = firstDelayMs;
  };
  const schedule = (): void => {
    if (writes.length === 0 || cancelTimer || retrying) return;
    cancelTimer = clock.after(delayMs, () => {
      cancelTimer = undefined;
      delayMs = Math.min(maxDelayMs, delayMs * 2);
      retrying = retryAll().finally(() => {
        retrying = undefined;
        schedule();
      });
    });
  };

  return {
    add(what, write) {
      writes.push({ what, write });
      schedule();
    },
    get pending() {
      return writes.length;
    },
    async close() {
      cancelTimer?.();
      await retrying;
      cancelTimer?.();
      // Together: one that fails keeps no other from its last chance, and records that do not answer delay the end once.
      await Promise.all(writes.splice(0).map(attempt));
    },
  };
}
