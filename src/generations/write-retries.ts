import type { Clock } from '../lib/clock.ts';

export interface WriteRetriesOptions {
  readonly clock: Clock;
  readonly onFailed: (error: unknown, what: string) => void;
}

/** Writes that failed (a full disk, say) and have to come true all the same: tried again until they do. */
export interface WriteRetries {
  /** `what` names it in the log. */
  add(what: string, write: () => Promise<unknown>): void;
  readonly pending: number;
  /** Tries once more and gives up. */
  close(): Promise<void>;
}

const firstDelayMs = 500;
const maxDelayMs = 15_000;

export function createWriteRetries({ clock, onFailed }: WriteRetriesOptions): WriteRetries {
  let writes: { readonly what: string; readonly write: () => Promise<unknown> }[] = [];
  let delayMs = firstDelayMs;
  let cancelTimer: (() => void) | undefined;
  let trying: Promise<void> | undefined;

  /** In their order; what fails again stays. */
  const tryAll = async (): Promise<void> => {
    const due = writes;
    writes = [];
    for (const [index, one] of due.entries()) {
      try {
        await one.write();
      } catch (error) {
        onFailed(error, one.what);
        writes = [...due.slice(index), ...writes];
        return;
      }
    }
    delayMs = firstDelayMs;
  };
  const schedule = (): void => {
    if (writes.length === 0 || cancelTimer || trying) return;
    cancelTimer = clock.after(delayMs, () => {
      cancelTimer = undefined;
      delayMs = Math.min(maxDelayMs, delayMs * 2);
      trying = tryAll().finally(() => {
        trying = undefined;
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
      await trying;
      cancelTimer?.();
      if (writes.length > 0) await tryAll();
    },
  };
}
