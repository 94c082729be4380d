import { expect, test } from 'vitest';
import { groupWrites } from '../../src/store/sql/basics/group-writes.ts';

/** Writes text. Items with the same first letter have the same key. */
function open(maxSize = 10) {
  const groups: (readonly string[])[] = [];
  const write = groupWrites<string, string>({
    keyOf: (text) => text.slice(0, 1),
    sizeOf: (text) => text.length,
    maxSize,
    async write(items) {
      groups.push(items);
      if (items.includes('bad')) throw new Error('disk full');
      return items.map((item) => item.toUpperCase());
    },
  });
  return { groups, write };
}

test('writes of one turn share a group, and each gets its own result', async () => {
  const { groups, write } = open();
  expect(await Promise.all([write('a1'), write('c1')])).toEqual(['A1', 'C1']);
  expect(await write('d1')).toBe('D1');
  expect(groups).toEqual([['a1', 'c1'], ['d1']]);
});

test('a group has each key once and a limited size, and a key that comes again waits', async () => {
  const { groups, write } = open();
  const items = ['a1', 'b1', 'a2', 'c-too-long-for-a-group', 'd1', 'e-long', 'f-long'];
  expect(await Promise.all(items.map(write))).toEqual(items.map((item) => item.toUpperCase()));
  expect(groups).toEqual([['a1', 'b1'], ['c-too-long-for-a-group'], ['d1', 'e-long'], ['f-long'], ['a2']]);
});

test('a group is sorted by key, and each write gets its own result', async () => {
  const { groups, write } = open();
  expect(await Promise.all(['c1', 'a1', 'b1'].map(write))).toEqual(['C1', 'A1', 'B1']);
  expect(groups).toEqual([['a1', 'b1', 'c1']]);
});

test('writes of one key end in their order, also in groups of several turns, and others do not wait', async () => {
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  const write = groupWrites<string, string>({
    keyOf: (text) => text.slice(0, 1),
    maxSize: 10,
    async write(items) {
      begun.push(...items);
      if (items.includes('a1')) await first.promise;
      if (items.includes('a2')) throw new Error('disk full');
      return items;
    },
  });
  const later = [write('a1'), write('a2')];
  await new Promise((resolve) => setImmediate(resolve));
  later.push(write('a3'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await write('b1')).toBe('b1');
  expect(begun).toEqual(['a1', 'b1']);
  first.resolve();
  const outcomes = await Promise.allSettled(later);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  expect(await write('a4')).toBe('a4');
});

test('a failed group rejects its own writes', async () => {
  const { write } = open();
  const outcomes = await Promise.allSettled([write('a1'), write('bad'), write('a2')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
