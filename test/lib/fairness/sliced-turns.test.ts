import { expect, test } from 'vitest';
import { noLimits } from '../../../src/lib/fairness/fair-queue.ts';
import { createSlicedTurns } from '../../../src/lib/fairness/fair-work.ts';
import { createManualLoop } from '../../support/manual-loop.ts';

function start() {
  const loop = createManualLoop();
  const turns = createSlicedTurns({
    lengthMs: 5,
    loop,
    pathOf: (key) => [{ key, limits: noLimits }],
  });
  const begun: string[] = [];
  const begin = (key: string, milliseconds: number): void => {
    const run = (): void => {
      loop.work(milliseconds);
      begun.push(key);
    };
    const turn = turns.wait(key);
    if (turn) void turn.then(run);
    else run();
  };
  const iterate = async (): Promise<void> => {
    loop.iterate();
    for (let reaction = 0; reaction < 100; reaction += 1) await Promise.resolve();
  };
  return { turns, begun, begin, iterate };
}

test('keys take turns, and a slice ends in the middle of a queue', async () => {
  const { begun, begin, iterate } = start();
  for (const key of ['a', 'a', 'a', 'a', 'b']) begin(key, 5);
  expect(begun).toEqual(['a']);
  for (let iteration = 0; iteration < 8; iteration += 1) await iterate();
  expect(begun).toEqual(['a', 'a', 'b', 'a', 'a']);
});

test('a step may run at once while there is time, and nobody waits', async () => {
  const { turns, begin, iterate } = start();
  expect(turns.mayRun()).toBe(true);
  begin('a', 5);
  expect(turns.mayRun()).toBe(false);
  await iterate();
  expect(turns.mayRun()).toBe(true);
  begin('a', 1);
  begin('a', 1);
  expect(turns.mayRun()).toBe(false);
});
