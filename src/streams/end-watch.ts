import type { Clock } from '../lib/clock.ts';

export interface EndWatchOptions {
  readonly clock: Clock;
  /** Returns the ids that have ended on any instance. */
  readonly findEnded: (ids: readonly string[]) => Promise<readonly string[]>;
  /** A check failed. The next one runs at the normal interval. */
  readonly onFailed: (error: unknown) => void;
}

/** Detects streams of this process that another instance has ended. One check covers all; none runs while idle. */
export interface EndWatch {
  /** Calls `onEnded` at most once. Returns the function that stops watching this id. */
  add(id: string, onEnded: () => void): () => void;
  /** Checks now instead of at the next interval, if this id is watched. */
  checkNow(id: string): void;
  close(): void;
}

/** A short delay for a cancel, at the cost of one small read for all streams. */
export const checkIntervalMs = 500;

export function createEndWatch({ clock, findEnded, onFailed }: EndWatchOptions): EndWatch {
  const watched = new Map<string, () => void>();
  let cancelTimer: (() => void) | undefined;
  let isChecking = false;
  /** A change was reported during the check. */
  let isDue = false;

  const check = async (): Promise<void> => {
    for (const id of await findEnded([...watched.keys()])) {
      const onEnded = watched.get(id);
      watched.delete(id);
      onEnded?.();
    }
  };
  const run = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    isChecking = true;
    isDue = false;
    void check()
      // A failure does not matter once nothing is watched.
      .catch((error: unknown) => watched.size > 0 && onFailed(error))
      .finally(() => {
        isChecking = false;
        if (isDue && watched.size > 0) run();
        else schedule();
      });
  };
  const schedule = (): void => {
    if (watched.size === 0 || cancelTimer || isChecking) return;
    cancelTimer = clock.after(checkIntervalMs, run);
  };
  const stopWhenIdle = (): void => {
    if (watched.size > 0) return;
    cancelTimer?.();
    cancelTimer = undefined;
  };

  return {
    add(id, onEnded) {
      watched.set(id, onEnded);
      schedule();
      return () => {
        watched.delete(id);
        stopWhenIdle();
      };
    },
    checkNow(id) {
      if (!watched.has(id)) return;
      if (isChecking) isDue = true;
      else run();
    },
    close() {
      watched.clear();
      stopWhenIdle();
    },
  };
}
