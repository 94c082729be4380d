import { type Clock, createSystemClock } from '../../src/lib/clock.ts';

/** The system's clock, on which timers with this delay never fire: a regular check that the test must not need. */
export function withoutTimersOf(skippedMs: number): Clock {
  const clock = createSystemClock();
  return {
    ...clock,
    after: (delayMs, callback) => (delayMs === skippedMs ? () => {} : clock.after(delayMs, callback)),
  };
}
