import type { Clock } from '../lib/clock.ts';

/** Limits the output that a crash can lose. One save per second costs little compared with the deltas. */
export const saveIntervalMs = 1000;
/** Saves of different streams fall on the same points in time, up to this much early, so that they share a transaction. */
const alignmentMs = 100;

/** The next saves of all streams. One timer serves them: a timer per save would outlive the young generation of the heap. */
export interface SaveTimes {
  /** Calls `onDue` once, after about the interval. */
  add(waiting: WaitingSave): void;
  delete(waiting: WaitingSave): void;
}

interface WaitingSave {
  onDue(): void;
}

interface Slot {
  dueAt: number;
  readonly waiting: Set<WaitingSave>;
}

export function createSaveTimes(clock: Clock): SaveTimes {
  /** In order of time. */
  const slots: Slot[] = [];
  let cancelTimer: (() => void) | undefined;

  const schedule = (): void => {
    const [next] = slots;
    if (next) cancelTimer ??= clock.after(Math.max(next.dueAt - clock.elapsed(), 0), runDue);
  };
  const runDue = (): void => {
    cancelTimer = undefined;
    const due = slots.shift();
    // Before the saves, which may add their next ones.
    schedule();
    for (const waiting of due?.waiting ?? []) waiting.onDue();
  };
  /** The clock goes back when it notices a pause of the process. */
  const advanceTo = (latest: number): void => {
    for (const slot of slots) slot.dueAt = Math.min(slot.dueAt, latest);
    cancelTimer?.();
    cancelTimer = undefined;
  };
  return {
    add(waiting) {
      const dueAt = Math.floor((clock.elapsed() + saveIntervalMs) / alignmentMs) * alignmentMs;
      if ((slots.at(-1)?.dueAt ?? dueAt) > dueAt) advanceTo(dueAt);
      let last = slots.at(-1);
      if (!last || last.dueAt < dueAt) slots.push((last = { dueAt, waiting: new Set() }));
      last.waiting.add(waiting);
      schedule();
    },
    delete(waiting) {
      for (const slot of slots) slot.waiting.delete(waiting);
      if (slots.some((slot) => slot.waiting.size > 0)) return;
      slots.length = 0;
      cancelTimer?.();
      cancelTimer = undefined;
    },
  };
}
