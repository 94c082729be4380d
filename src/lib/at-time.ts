import type { Clock } from './clock.ts';
import { dayMs } from './time.ts';

/** Calls back once at a time of `clock.now()`. That the system clock was set meanwhile is noticed within a day. Returns the cancel function. */
export function atTime(clock: Clock, time: number, callback: () => void): () => void {
  const wait = () => clock.after(Math.max(0, Math.min(time - clock.now(), dayMs)), check);
  const check = (): void => {
    if (clock.now() >= time) callback();
    else cancel = wait();
  };
  let cancel = wait();
  return () => cancel();
}
