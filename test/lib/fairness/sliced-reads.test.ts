import { expect, test } from 'vitest';
import { noLimits } from '../../../src/lib/fairness/fair-queue.ts';
import { createSlicedReads } from '../../../src/lib/fairness/fair-work.ts';
import { sliceMs } from '../../../src/lib/fairness/slice.ts';
import { createManualLoop } from '../../support/manual-loop.ts';

function startReads(groupOf = (owner: string) => owner) {
  const loop = createManualLoop();
  const pathOf = (owner: string) => [groupOf(owner), owner].map((key) => ({ key, limits: noLimits }));
  const run = createSlicedReads({ loop, pathOf });
  const order: string[] = [];
  return {
    order,
    read: (owner: string, name: string, milliseconds: number) =>
      run(owner, async () => {
        await Promise.resolve();
        loop.work(milliseconds);
        order.push(name);
        if (name.endsWith('!')) throw new Error(name);
        return name;
      }),
    /** Runs the next iteration and its promise reactions. */
    async iterate() {
      loop.iterate();
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
}

test('reads of an iteration run until its slice is over', async () => {
  const { order, read, iterate } = startReads();
  const done = Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => read('a', name, sliceMs.reads / 2)));
  await settle();
  expect(order).toEqual(['a1', 'a2']);
  await iterate();
  expect(order).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(await done).toEqual(order);
});

test('owners take turns, and the reads of one owner keep their order', async () => {
  const { order, read, iterate } = startReads();
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
  const done = Promise.all(names.map((name) => read(name.slice(0, 1), name, sliceMs.reads)));
  await settle();
  for (const _name of names) await iterate();
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  expect(await done).toEqual(names);
});

test('groups take turns, and within a group its owners', async () => {
  const { order, read, iterate } = startReads((owner) => (owner === 'z' ? 'single' : 'crowd'));
  const names = ['a1', 'a2', 'b1', 'b2', 'c1', 'z1', 'z2'];
  const done = Promise.all(names.map((name) => read(name.slice(0, 1), name, sliceMs.reads)));
  await settle();
  for (const _name of names) await iterate();
  expect(order).toEqual(['a1', 'a2', 'z1', 'b1', 'z2', 'c1', 'b2']);
  expect(await done).toEqual(names);
});

test('a read that comes after the slice waits, and a failed read does not stop the others', async () => {
  const { order, read, iterate } = startReads();
  await expect(read('a', 'a1!', sliceMs.reads)).rejects.toThrow('a1!');
  const later = read('a', 'a2', sliceMs.reads);
  await settle();
  expect(order).toEqual(['a1!']);
  await iterate();
  expect(await later).toBe('a2');
  await iterate();
  await iterate();
  expect(await read('b', 'b1', 1)).toBe('b1');
});
