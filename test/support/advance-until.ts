import { setImmediate } from 'node:timers/promises';
import type { ManualClock } from './manual-clock.ts';

/** Advances the clock in steps, with room for input and output in between, until the condition holds. */
export async function advanceUntil(
  clock: Pick<ManualClock, 'advance'>,
  isDone: () => boolean | Promise<boolean>,
  stepMs = 1000,
): Promise<void> {
  while (!(await isDone())) {
    clock.advance(stepMs);
    await setImmediate();
  }
}
