import { expect, test } from 'vitest';
import { createTurns, sliceMs, systemEventLoop } from '../../../src/server/admission/turns.ts';
import { createManualLoop } from '../../support/manual-loop.ts';

test('operations start for one slice in each iteration of the event loop', () => {
  const loop = createManualLoop();
  let waiting = 10;
  const turns = createTurns({
    loop,
    startNext() {
      if (waiting === 0) return false;
      waiting -= 1;
      loop.work(sliceMs / 2);
      return true;
    },
  });
  turns.schedule();
  expect(waiting).toBe(10);
  const left = Array.from({ length: 6 }, () => {
    loop.iterate();
    return waiting;
  });
  expect(left).toEqual([8, 6, 4, 2, 0, 0]);
});

test('an iteration has time until its slice is over', () => {
  const loop = createManualLoop();
  const turns = createTurns({ loop, startNext: () => false });
  expect(turns.hasTime()).toBe(true);
  loop.work(sliceMs);
  expect(turns.hasTime()).toBe(false);
  loop.iterate();
  expect(turns.hasTime()).toBe(true);
});

test('the time of an operation includes its promise reactions', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  systemEventLoop.afterReactions(() => {
    order.push('after');
    resolve();
  });
  void (async () => {
    for (let step = 0; step < 5; step += 1) await Promise.resolve();
    order.push('reactions');
  })();
  await promise;
  expect(order).toEqual(['reactions', 'after']);
});
