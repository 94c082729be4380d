import type { Clock } from '../../src/lib/clock.ts';

/** A clock that advances only when the test advances it. */
export interface ManualClock extends Clock {
  /** Advances the clock and runs all callbacks that become due, in order. */
  advance(milliseconds: number): void;
  /** Sets the system time, as an operator or NTP does. No time elapses. */
  step(milliseconds: number): void;
  /** Number of scheduled callbacks with exactly this delay. */
  pending(delayMs: number): number;
  /** Resolves as soon as a callback with exactly this delay is scheduled. */
  waitForTimer(delayMs: number): Promise<void>;
}

interface Timer {
  readonly dueAt: number;
  readonly delayMs: number;
  readonly callback: () => void;
}

export function createManualClock(start = Date.parse('2026-11-20T12:00:00Z')): ManualClock {
  let elapsed = 0;
  let epoch = start;
  const timers = new Set<Timer>();
  const waiters = new Set<{ readonly delayMs: number; readonly resolve: () => void }>();
  const pending = (delayMs: number): number =>
    [...timers].filter((timer) => timer.delayMs === delayMs).length;

  return {
    // Whole milliseconds, unlike `elapsed`: as of the system's clock.
    now: () => Math.floor(epoch + elapsed),
    elapsed: () => elapsed,
    step: (milliseconds) => void (epoch += milliseconds),
    after(delayMs, callback) {
      const timer: Timer = { dueAt: elapsed + delayMs, delayMs, callback };
      timers.add(timer);
      for (const waiter of waiters) {
        if (waiter.delayMs !== delayMs) continue;
        waiters.delete(waiter);
        waiter.resolve();
      }
      return () => void timers.delete(timer);
    },
    advance(milliseconds) {
      const end = elapsed + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ dueAt }) => dueAt <= end).toSorted((a, b) => a.dueAt - b.dueAt);
        if (!next) break;
        timers.delete(next);
        elapsed = next.dueAt;
        next.callback();
      }
      elapsed = end;
    },
    pending,
    waitForTimer(delayMs) {
      if (pending(delayMs) > 0) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.add({ delayMs, resolve });
      return promise;
    },
  };
}
