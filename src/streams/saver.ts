import type { Clock } from '../lib/clock.ts';

/** Saves something that changes often, but not more often than once in a while. */
export interface Saver {
  /** It has changed. Costs next to nothing. */
  changed(): void;
  /** Resolves when no save is under way and none will be. */
  stop(): Promise<void>;
}

/** Long enough to cost nothing beside the tokens, short enough that little is lost. */
export const saveIntervalMs = 1000;

/** A save that fails is made up for by the next one. */
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
    if (isDirty && !isStopped && !cancelTimer && !saving) cancelTimer = clock.after(saveIntervalMs, run);
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
