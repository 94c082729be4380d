import type { Clock } from './clock.ts';
import { clockToleranceMs } from './time.ts';

const checkMs = 20_000;

/** Calls back within 20 seconds each time the system clock was set back by more than a minute. Returns the cancel function. */
export function onSetBack(clock: Clock, callback: () => void): () => void {
  let cancel = (): void => {};
  const watch = (): void => {
    const readOrigin = (): number => clock.now() - clock.elapsed();
    const origin = readOrigin();
    cancel = clock.after(checkMs, () => {
      const isSetBack = readOrigin() < origin - clockToleranceMs;
      watch();
      if (isSetBack) callback();
    });
  };
  watch();
  return () => cancel();
}
