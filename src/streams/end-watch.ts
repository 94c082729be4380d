import type { Clock } from '../lib/clock.ts';

export interface EndWatchOptions {
  readonly clock: Clock;
  /** Which of these have ended, whoever ended them. */
  readonly findEnded: (ids: readonly string[]) => Promise<readonly string[]>;
  /** A look failed; the next one makes up for it. */
  readonly onFailed: (error: unknown) => void;
}

/** Looks whether what this process runs was ended by another: for all at once, and only while there is something. */
export interface EndWatch {
  /** `onEnded` is called at most once, and not after the returned function was. */
  add(id: string, onEnded: () => void): () => void;
  close(): void;
}

/** Soon enough for whoever cancels, and one small read for all that runs. */
export const checkIntervalMs = 500;

export function createEndWatch({ clock, findEnded, onFailed }: EndWatchOptions): EndWatch {
  const watched = new Map<string, () => void>();
  let cancelTimer: (() => void) | undefined;
  let isChecking = false;

  const check = async (): Promise<void> => {
    for (const id of await findEnded([...watched.keys()])) {
      const onEnded = watched.get(id);
      watched.delete(id);
      onEnded?.();
    }
  };
  const schedule = (): void => {
    if (watched.size === 0 || cancelTimer || isChecking) return;
    cancelTimer = clock.after(checkIntervalMs, () => {
      cancelTimer = undefined;
      isChecking = true;
      void check()
        // Of what has ended meanwhile nobody asks any more.
        .catch((error: unknown) => watched.size > 0 && onFailed(error))
        .finally(() => {
          isChecking = false;
          schedule();
        });
    });
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
    close() {
      watched.clear();
      stopWhenIdle();
    },
  };
}
