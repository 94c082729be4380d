import type { Clock } from '../../lib/clock.ts';
import type { CallbackProgress, CallbackRecords } from '../../store/callback-records.ts';

/** Saves the progress of many subscriptions together: one statement at a time, with all that came meanwhile. */
export interface ProgressSaves {
  /** Resolves to whether this instance still holds the subscription. Rejects if the records are unavailable. */
  save(progress: CallbackProgress): Promise<boolean>;
}

/** Time between two statements. Deltas coalesce meanwhile. */
const paceMs = 20;

export function createProgressSaves(records: Pick<CallbackRecords, 'save'>, clock: Clock): ProgressSaves {
  let waiting = new Map<
    string,
    { progress: CallbackProgress; readonly saved: PromiseWithResolvers<boolean> }
  >();
  let isPaced = false;
  const saveAll = async (): Promise<void> => {
    const group = waiting;
    waiting = new Map();
    try {
      const held = await records.save([...group.values()].map(({ progress }) => progress));
      for (const [id, { saved }] of group) saved.resolve(held.has(id));
    } catch (error) {
      for (const { saved } of group.values()) saved.reject(error);
    }
    clock.after(paceMs, () => {
      isPaced = false;
      begin();
    });
  };
  const begin = (): void => {
    if (isPaced || waiting.size === 0) return;
    isPaced = true;
    // With those of the same turn.
    setImmediate(() => void saveAll());
  };
  return {
    save(progress) {
      const known = waiting.get(progress.id);
      const entry = known ?? { progress, saved: Promise.withResolvers<boolean>() };
      entry.progress = progress;
      waiting.set(progress.id, entry);
      begin();
      return entry.saved.promise;
    },
  };
}
