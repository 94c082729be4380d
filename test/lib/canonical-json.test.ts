import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/lib/canonical-json.ts';

test.each<[unknown, unknown]>([
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [{ a: { c: 1, b: 2 } }, { a: { b: 2, c: 1 } }],
  [{ a: 1, b: null }, { a: 1 }],
  [{ a: 1, b: undefined }, { a: 1 }],
  [[{ a: null }], [{}]],
  [5n, 5],
  [undefined, null],
  [[undefined], [null]],
  [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
])('%o and %o give the same text', (left, right) => {
  expect(canonicalJson(left)).toBe(canonicalJson(right));
});

test.each<[unknown, unknown]>([
  [{ a: 1 }, { a: '1' }],
  [{ a: 1 }, { b: 1 }],
  [
    [1, 2],
    [2, 1],
  ],
  [
    [1, [2]],
    [[1], 2],
  ],
  [[null], []],
  [{}, []],
  [{ a: {} }, {}],
  [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
  ['null', null],
  [18446744073709551615n, 18446744073709551614n],
  [true, 'true'],
  [0, false],
  [{ ['__proto__']: { a: 1 } }, {}],
])('%o and %o give different texts', (left, right) => {
  expect(canonicalJson(left)).not.toBe(canonicalJson(right));
});

test('the text is JSON with sorted members', () => {
  expect(canonicalJson({ b: [1, 2n, null], a: { d: 'x', c: true }, e: null })).toBe(
    '{"a":{"c":true,"d":"x"},"b":[1,2,null]}',
  );
  expect(canonicalJson(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
});
