import { setImmediate } from 'node:timers/promises';
import { sliceMs } from '../../src/lib/fairness/slice.ts';

/** The number of iterations of the event loop in which these promises go on, each for longer than a slice. */
export async function iterationsOf(waits: readonly Promise<unknown>[], settle: () => void): Promise<number> {
  let iteration = 0;
  const found: number[] = [];
  const goOn = (): void => {
    found.push(iteration);
    for (const startedAt = performance.now(); performance.now() - startedAt <= sliceMs.operations;);
  };
  for (const wait of waits) void wait.then(goOn, goOn);
  await setImmediate();
  settle();
  for (; found.length < waits.length; iteration += 1) await setImmediate();
  return new Set(found).size;
}
