import type { Clock } from './clock.ts';

/** Timers of Node cannot be longer than 24 days. */
const longestMs = 86_400_000;

/** Calls back once at a time of `clock.now()`, also if the system clock is set meanwhile. Returns the cancel function. */
export function atTime(clock: Clock, time: number, callback: () => void): () => void {
  let cancel = (): void => {};
  const check = (): void => {
    const remainingMs = time - clock.now();
    if (remainingMs <= 0) callback();
    else cancel = clock.after(Math.min(remainingMs, longestMs), check);
  };
  cancel = clock.after(Math.max(0, Math.min(time - clock.now(), longestMs)), check);
  return () => cancel();
}
