import type { Clock } from '../lib/clock.ts';
import { clockToleranceMs } from '../lib/time.ts';

/**
 * Returns the time, in whole milliseconds, before which records that are kept for `keptMs` have expired. Call it often: after the
 * clock was set forward between two calls, the result continues as if it had not been, for `keptMs`. All records from before are
 * old enough then.
 */
export function createExpiredBefore(clock: Clock, keptMs: number): () => number {
  let agreedAt = clock.elapsed();
  /** When `elapsed` was 0, by the clock. */
  let origin = clock.now() - agreedAt;
  /** The lowest since `agreedAt`. */
  let nextOrigin = Infinity;
  return () => {
    const elapsed = clock.elapsed();
    const current = clock.now() - elapsed;
    nextOrigin = Math.min(nextOrigin, current);
    const isOver = elapsed - agreedAt >= keptMs;
    if (isOver || current <= origin + clockToleranceMs) {
      origin = isOver ? nextOrigin : Math.min(origin, current);
      agreedAt = elapsed;
      nextOrigin = Infinity;
    }
    return Math.floor(origin + elapsed) - keptMs;
  };
}
