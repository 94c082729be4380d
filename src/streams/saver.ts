import type { Clock } from '../lib/clock.ts';

/** Throttles saves of a value that changes often. */
export interface Saver {
  /** Marks the value as changed. Cheap enough to call for every delta. */
  changed(): void;
  /** Cancels the next save. Resolves when no save is in flight. */
  stop(): Promise<void>;
}

/** Limits the output that a crash can lose. One save per second costs little compared with the deltas. */
export const saveIntervalMs = 1000;
/** Saves of different streams fall on the same points in time, up to this much early, so that they share a transaction. */
const alignmentMs = 100;

/** A failed save is retried after the same interval. */
export function createSaver({ clock, save }: { clock: Clock; save: () => Promise<void> }): Saver {
  let cancelTimer: (() => void) | undefined;
  let saving: Promise<void> | undefined;
  let isDirty = false;
  let isStopped = false;

  const run = (): void => {
    cancelTimer = undefined;
    isDirty = false;
    saving = save()
      .catch(() => {
        isDirty = true;
      })
      .finally(() => {
        saving = undefined;
        schedule();
      });
  };
  const schedule = (): void => {
    if (isDirty && !isStopped && !cancelTimer && !saving) cancelTimer = clock.after(nextDelay(clock), run);
  };

  return {
    changed() {
      if (isDirty) return;
      isDirty = true;
      schedule();
    },
    async stop() {
      isStopped = true;
      cancelTimer?.();
      await saving;
    },
  };
}

function nextDelay(clock: Clock): number {
  const now = clock.elapsed();
  return Math.floor((now + saveIntervalMs) / alignmentMs) * alignmentMs - now;
}
