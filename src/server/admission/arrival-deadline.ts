import type { Clock } from '../../lib/clock.ts';

/** Time for a body to begin to arrive at the minimum rate. */
export const arrivalGraceMs = 10_000;
/** Slowest average rate of a body. */
const minBytesPerSecond = 8192;

/** Time that a body of this size may take to arrive. */
export function longestArrivalMs(bytes: number): number {
  return arrivalGraceMs + (bytes / minBytesPerSecond) * 1000;
}

export interface ArrivalDeadlineOptions {
  readonly clock: Clock;
  /** Bytes received so far. */
  readonly receivedBytes: () => number;
  readonly onMissed: () => void;
}

/** Calls back when a body arrives too slowly. Returns the cancel function. */
export function startArrivalDeadline({ clock, receivedBytes, onMissed }: ArrivalDeadlineOptions): () => void {
  const startedAt = clock.elapsed();
  const remainingMs = (): number => startedAt + longestArrivalMs(receivedBytes()) - clock.elapsed();
  let cancel = (): void => {};
  const schedule = (): void => {
    cancel = clock.after(Math.max(1, remainingMs()), () => {
      if (remainingMs() > 0) schedule();
      else onMissed();
    });
  };
  schedule();
  return () => cancel();
}
