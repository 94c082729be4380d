import { describe, expect, test } from 'vitest';
import { applyEdits, editsBetween, type JsonEdit } from '../../src/lib/json-edits.ts';
import { type Json, parseJson, stringifyJson } from '../../src/lib/json.ts';
import { createRandom } from '../support/random.ts';

/** As a reader gets it. */
function throughText(value: unknown): Json {
  return parseJson(stringifyJson(value));
}

describe('edits', () => {
  test.each<readonly [name: string, before: unknown, after: unknown, edits: readonly JsonEdit[]]>([
    ['a longer text', { text: 'one' }, { text: 'one two' }, [{ at: ['text'], add: ' two' }]],
    ['the second half of a pair', { a: '\ud83d' }, { a: '\ud83d\ude00' }, [{ at: ['a'], add: '\ude00' }]],
    ['a new item', { list: [1] }, { list: [1, { a: 'b' }] }, [{ at: ['list', 1], set: { a: 'b' } }]],
    ['an item less', { list: [1, 2] }, { list: [1] }, [{ at: ['list'], set: [1] }]],
    ['a member less', { a: 1, b: 2 }, { a: 1 }, [{ at: [], set: { a: 1 } }]],
    ['an undefined member less', { a: undefined, b: 2 }, { b: 2 }, []],
    ['a new undefined member', { b: 2 }, { a: undefined, b: 3 }, [{ at: ['b'], set: 3 }]],
    ['a nested text', { a: { b: ['x'] } }, { a: { b: ['xy'] } }, [{ at: ['a', 'b', 0], add: 'y' }]],
    ['a text instead of null', { a: null }, { a: 'x' }, [{ at: ['a'], set: 'x' }]],
    ['an object instead of a list', { a: [] }, { a: {} }, [{ at: ['a'], set: {} }]],
    ['another type of value', 'a', ['a'], [{ at: [], set: ['a'] }]],
  ])('change only what is new: %s', (_name, before, after, edits) => {
    expect(editsBetween(before, after)).toEqual(edits);
  });

  test('define a member named __proto__ like any other', () => {
    const [before, after] = ['{"__proto__":{"a":"x"}}', '{"__proto__":{"a":"xy"},"b":{"__proto__":1}}'];
    const edits = throughText(editsBetween(parseJson(before), parseJson(after)));
    expect(stringifyJson(applyEdits(parseJson(before), edits as never))).toBe(after);
  });

  test('append to a long list without a copy for each item', () => {
    const before = Array.from({ length: 100_000 }, () => 'x');
    const edits = editsBetween(before, [...before, ...before]);
    const startedAt = performance.now();
    expect(applyEdits(before, edits)).toHaveLength(200_000);
    // Copies would take a minute.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(before).toHaveLength(100_000);
  });

  test('lead from any value to any other, read back from their text', () => {
    const random = createRandom(7);
    const pick = (count: number) => Math.floor(random() * count);
    const texts = ['', 'a', '"\\\n\u0000', '\ud83d', '\ude00', 'é😀', '__proto__', '\u2028'];
    const build = (depth: number): unknown => {
      const leaves = [texts[pick(texts.length)], pick(3), null, true, 12345678901234567890n, undefined];
      if (depth === 0 || random() < 0.3) return leaves[pick(leaves.length)];
      const members = Array.from({ length: pick(4) }, () => [texts[pick(4)], build(depth - 1)] as const);
      return random() < 0.5 ? members.map(([, member]) => member) : Object.fromEntries(members);
    };
    const grow = (value: unknown): unknown => {
      if (random() < 0.1) return build(2);
      if (typeof value === 'string') return value + texts[pick(texts.length)];
      if (Array.isArray(value)) return [...value.map(grow), ...(random() < 0.5 ? [build(1)] : [])];
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, grow(member)]));
    };
    for (let round = 0; round < 3000; round += 1) {
      const before = build(3) ?? null;
      const after = (random() < 0.5 ? grow(before) : build(3)) ?? null;
      const edits = throughText(editsBetween(before, after));
      expect(applyEdits(throughText(before), edits as never)).toEqual(throughText(after));
    }
  });
});
