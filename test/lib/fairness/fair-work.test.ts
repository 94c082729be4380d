import { expect, test } from 'vitest';
import { noLimits } from '../../../src/lib/fairness/fair-queue.ts';
import { createPacedWork } from '../../../src/lib/fairness/fair-work.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** Three pieces of one group may wait, and five of all. */
function pathOf(key: string) {
  return [
    { key: 'all', limits: { ...noLimits, waiting: 5 } },
    { key, limits: { ...noLimits, waiting: 3 } },
  ];
}

function start() {
  const clock = createManualClock();
  const refuse = (): Error => new Error('too many');
  const run = createPacedWork({ share: 0.25, pathOf, refuse, clock });
  const done: string[] = [];
  /** Work that blocks the event loop for 10 ms. */
  const work = (name: string) => (): string => {
    clock.advance(10);
    done.push(name);
    return name;
  };
  /** Advances the clock, then runs what became due. */
  const pass = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, run, work, done, pass };
}

test('the first piece runs at once, the next after a rest of three times its length', async () => {
  const { run, work, done, pass } = start();
  await expect(run('a', work('first'))).resolves.toBe('first');
  const second = run('a', work('second'));
  await pass(29);
  expect(done).toEqual(['first']);
  await pass(1);
  await expect(second).resolves.toBe('second');
});

test('after a quiet time there is no rest', async () => {
  const { run, work, done, clock } = start();
  await run('a', work('first'));
  clock.advance(30);
  await run('a', work('second'));
  expect(done).toEqual(['first', 'second']);
});

test('groups take turns', async () => {
  const { run, work, done, pass } = start();
  await run('a', work('a1'));
  const all = [run('a', work('a2')), run('a', work('a3')), run('b', work('b1'))];
  for (let index = 0; index < 4; index += 1) await pass(30);
  await Promise.all(all);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a piece that would wait behind too many of its group, or of all, is refused', async () => {
  const { run, work, done, pass } = start();
  await run('a', work('a1'));
  const waiting = ['a', 'a', 'a', 'b', 'b'].map((group) => run(group, work(group)));
  await expect(run('a', work('never'))).rejects.toThrow('too many');
  await expect(run('c', work('never'))).rejects.toThrow('too many');
  for (let index = 0; index < 6; index += 1) await pass(30);
  await Promise.all(waiting);
  expect(done).toEqual(['a1', 'a', 'b', 'a', 'b', 'a']);
});

test('a piece that throws counts as well, and the next one runs', async () => {
  const { run, work, clock, pass } = start();
  const failing = run('a', () => {
    clock.advance(10);
    throw new TypeError('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  const next = run('a', work('next'));
  await pass(30);
  await expect(next).resolves.toBe('next');
});

test.each([
  ['during a piece', 3_600_000, 0],
  ['that the clock notices after a piece', 0, 3_600_000],
])('a pause of the process %s delays the next piece by seconds at most', async (_when, during, after) => {
  const clock = createManualClock();
  let noticedMs = 0;
  const run = createPacedWork({
    share: 0.25,
    pathOf,
    refuse: () => new Error('too many'),
    clock: { ...clock, elapsed: () => clock.elapsed() + 3_600_000 - noticedMs },
  });
  await run('a', () => clock.advance(during + 10));
  noticedMs = after;
  const next = run('a', () => 'next');
  clock.advance(10_000);
  await expect(next).resolves.toBe('next');
  clock.advance(10_000);
  await expect(run('a', () => 'at once')).resolves.toBe('at once');
});
