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

test('a group has each key once and a limited size, and the order stays', async () => {
  const { groups, write } = open();
  const items = ['a1', 'b1', 'a2', 'c-too-long-for-a-group', 'd1', 'e-long', 'f-long'];
  expect(await Promise.all(items.map(write))).toEqual(items.map((item) => item.toUpperCase()));
  expect(groups).toEqual([['a1', 'b1'], ['a2'], ['c-too-long-for-a-group'], ['d1', 'e-long'], ['f-long']]);
});

test('a group is sorted by key, and each write gets its own result', async () => {
  const { groups, write } = open();
  expect(await Promise.all(['c1', 'a1', 'b1'].map(write))).toEqual(['C1', 'A1', 'B1']);
  expect(groups).toEqual([['a1', 'b1', 'c1']]);
});

test('a failed group rejects its own writes', async () => {
  const { write } = open();
  const outcomes = await Promise.allSettled([write('a1'), write('bad'), write('a2')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
