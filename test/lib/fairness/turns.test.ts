import { expect, test } from 'vitest';
import { noLimits } from '../../../src/lib/fairness/fair-queue.ts';
import { createSlice, systemEventLoop } from '../../../src/lib/fairness/slice.ts';
import { Turns } from '../../../src/lib/fairness/turns.ts';
import { createManualLoop } from '../../support/manual-loop.ts';

test('operations start for one slice in each iteration of the event loop', () => {
  const loop = createManualLoop();
  const turns = new Turns<number>({
    createPace: (onNext) => createSlice({ lengthMs: 2, loop, onNext }),
    start() {
      loop.work(1);
      loop.afterReactions(() => turns.end());
    },
  });
  const group = turns.queue.locate([{ key: 'a', limits: noLimits }]);
  expect(turns.mayStart()).toBe(true);
  loop.work(2);
  for (let item = 0; item < 10; item += 1) turns.queue.push(group, item);
  expect(turns.mayStart()).toBe(false);
  turns.startNext();
  const left = Array.from({ length: 6 }, () => {
    loop.iterate();
    return turns.queue.waiting;
  });
  expect(left).toEqual([8, 6, 4, 2, 0, 0]);
  expect(turns.mayStart()).toBe(true);
});

test('an iteration has time until its slice is over', () => {
  const loop = createManualLoop();
  const hasTime = createSlice({ lengthMs: 2, loop, onNext: () => {} });
  expect(hasTime()).toBe(true);
  loop.work(2);
  expect(hasTime()).toBe(false);
  loop.iterate();
  expect(hasTime()).toBe(true);
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
