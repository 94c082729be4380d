import type { Clock } from '../../lib/clock.ts';

/** Time for a body to begin to arrive at the minimum rate. */
export const arrivalGraceMs = 10_000;
/** Slowest average rate of a body. */
const minBytesPerSecond = 8192;

/** Longest pause of a body that was faster, if the server holds what it has received: one that stops would be held for an hour. */
const maxPauseMs = 60_000;

/** Time that a body of this size may take to arrive. */
export function longestArrivalMs(bytes: number): number {
  return arrivalGraceMs + toMs(bytes);
}

function toMs(bytes: number): number {
  return (bytes / minBytesPerSecond) * 1000;
}

export interface ArrivalDeadlineOptions {
  readonly clock: Clock;
  /** Bytes received so far. */
  readonly receivedBytes: () => number;
  /** Whether the server holds them. @default false */
  readonly isHeld?: boolean;
  readonly onMissed: () => void;
}

/** Calls back when a body arrives too slowly. Returns the cancel function. */
export function startArrivalDeadline(options: ArrivalDeadlineOptions): () => void {
  const { clock, receivedBytes, isHeld = false, onMissed } = options;
  let endsAt = clock.elapsed() + arrivalGraceMs;
  let counted = 0;
  let cancel = (): void => {};
  const schedule = (): void => {
    cancel = clock.after(Math.max(1, endsAt - clock.elapsed()), () => {
      const [now, bytes] = [clock.elapsed(), receivedBytes()];
      endsAt = Math.min(endsAt + toMs(bytes - counted), isHeld ? now + maxPauseMs : Infinity);
      counted = bytes;
      if (endsAt > now) schedule();
      else onMissed();
    });
  };
  schedule();
  return () => cancel();
}
