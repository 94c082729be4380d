import { describe, expect, test } from 'vitest';
import { RoomForMembers } from '../../../src/capabilities/chat/room-for-members.ts';
import { sizeOfValue } from '../../../src/lib/json-size.ts';

/** What a member counts: its name at a fixed price, and its value. */
const costOf = (value: unknown): number => 1000 + sizeOfValue(value, Infinity);

function keepAll(
  values: readonly unknown[],
  { maxChars = 100_000, isMerged = true }: { readonly maxChars?: number; readonly isMerged?: boolean } = {},
): unknown {
  const room = new RoomForMembers(maxChars);
  const kept = new Map<string, unknown>();
  for (const value of values) room.keep(kept, 'member', value, isMerged);
  return kept.get('member');
}

describe('members of several chunks', () => {
  test.each([
    ['lists are appended', [[1, 2], [3]], [1, 2, 3]],
    ['objects are merged', [{ a: 1 }, { b: 2 }], { a: 1, b: 2 }],
    ['the later of other values is kept', [{ a: 1, b: 'x' }, { a: 2 }], { a: 2, b: 'x' }],
    ['null erases nothing', [{ a: [1] }, { a: null }], { a: [1] }],
    ['lists within objects are appended', [{ a: { b: [1] } }, { a: { b: [2] } }], { a: { b: [1, 2] } }],
    ['a list replaces an object', [{ a: { b: 1 } }, { a: [2] }], { a: [2] }],
    ['an object replaces a list', [{ a: [2] }, { a: { b: 1 } }], { a: { b: 1 } }],
    ['a text replaces a list', [[1], 'x'], 'x'],
    ['a new member of an object is added', [{}, { a: { b: [1] } }, { a: { b: [2] } }], { a: { b: [1, 2] } }],
  ])('%s', (_rule, values, expected) => {
    expect(keepAll(values)).toEqual(expected);
  });

  test('replace each other without merging', () => {
    expect(keepAll([[1], [2]], { isMerged: false })).toEqual([2]);
    expect(keepAll([{ a: 1 }, { b: 2 }], { isMerged: false })).toEqual({ b: 2 });
  });

  test('stay as they are for other readers of the chunks', () => {
    const chunks = [{ a: [1], b: { c: [2] } }, { a: [3], b: { c: [4] } }, { a: [5] }] as const;
    const before = structuredClone(chunks);
    expect(keepAll(chunks)).toEqual({ a: [1, 3, 5], b: { c: [2, 4] } });
    const lists = [[1], [2], [3]] as const;
    expect(keepAll(lists)).toEqual([1, 2, 3]);
    expect(chunks).toEqual(before);
    expect(lists).toEqual([[1], [2], [3]]);
  });
});

describe('room', () => {
  test('is taken by the name and the value, and what does not fit is left out', () => {
    const text = 'x'.repeat(500);
    expect(keepAll([text], { maxChars: costOf(text) })).toBe(text);
    expect(keepAll([text], { maxChars: costOf(text) - 1 })).toBeUndefined();
    expect(keepAll(['short', text], { maxChars: costOf(text) })).toBe(text);
    expect(keepAll(['short', text], { maxChars: costOf(text) - 1 })).toBe('short');
  });

  test('is taken by all that is appended', () => {
    const list = ['x'.repeat(500)];
    const maxChars = costOf(list) + sizeOfValue(list, Infinity);
    expect(keepAll([list, list], { maxChars })).toHaveLength(2);
    expect(keepAll([list, list], { maxChars: maxChars - 1 })).toHaveLength(1);
  });

  test('is not taken again by an equal value', () => {
    const text = 'x'.repeat(500);
    const room = new RoomForMembers(costOf(text) + 10);
    const kept = new Map<string, unknown>();
    for (let count = 0; count < 3; count += 1) room.keep(kept, 'id', text, true);
    expect(room.take('x'.repeat(6))).toBe(true);
    expect(room.take('')).toBe(false);
  });
});
