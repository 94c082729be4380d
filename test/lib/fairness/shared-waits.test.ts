import { expect, test } from 'vitest';
import { noLimits } from '../../../src/lib/fairness/fair-queue.ts';
import { createSharedWaits } from '../../../src/lib/fairness/shared-waits.ts';
import { systemEventLoop } from '../../../src/lib/fairness/slice.ts';

function setUp() {
  let now = 0;
  const loop = { ...systemEventLoop, now: () => now };
  const waits = createSharedWaits({ lengthMs: 2, loop, refuse: ({ key }) => new Error(`${key} is full`) });
  const waitOf = (key: string) => waits([{ key, limits: { ...noLimits, waiting: 4 } }]);
  const order: string[] = [];
  /** Each that goes on works for a millisecond. */
  const join = async (key: string, shared: Promise<unknown>): Promise<void> => {
    await waitOf(key)(() => shared).catch(() => {});
    order.push(key);
    now += 1;
  };
  return { waitOf, join, order };
}

const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each([
  ['ends', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('none'))],
])('those that wait for a promise go on in turns when it %s', async (_what, settle) => {
  const { join, order } = setUp();
  const opened = Promise.withResolvers<void>();
  const shared = opened.promise.then(settle);
  for (const key of ['a', 'a', 'a', 'b']) void join(key, shared);
  opened.resolve();
  const counts: number[] = [];
  while (order.length < 4) {
    await nextIteration();
    counts.push(order.length);
  }
  expect(order).toEqual(['a', 'a', 'b', 'a']);
  expect(counts).toEqual([2, 4]);
});

test('those beyond the limit of their group are refused, and run nothing', async () => {
  const { waitOf, join } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  const joined = ['a', 'a', 'a', 'a', 'b'].map((key) => join(key, promise));
  let runs = 0;
  const run = async (): Promise<void> => void (runs += 1);
  await expect(waitOf('a')(run)).rejects.toThrow('a is full');
  expect(runs).toBe(0);
  resolve();
  await Promise.all(joined);
  await waitOf('a')(run);
  expect(runs).toBe(1);
});
