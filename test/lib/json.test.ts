import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  asArray,
  asBoolean,
  asId,
  asIndex,
  asInteger,
  asJsonObject,
  asRecord,
  asString,
  isRecord,
  isSameJson,
  type Json,
  mayHaveWideIntegers,
  parseJson,
  stringifyJson,
} from '../../src/lib/json.ts';
import { createRandom } from '../support/random.ts';

test('a run of 16 digits is found at every position', () => {
  const random = createRandom(7);
  for (let round = 0; round < 2000; round += 1) {
    const before = 'x1'.repeat(Math.floor(random() * 20));
    const digits = '9'.repeat(Math.floor(random() * 20));
    const text = `${before}a${digits}${random() < 0.5 ? '' : '.12345678901'}${'y'.repeat(Math.floor(random() * 20))}`;
    expect([text, mayHaveWideIntegers(text)]).toEqual([text, /\d{16}/.test(text)]);
  }
});

describe('parseJson and stringifyJson', () => {
  test.each([
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '18446744073709551615',
    '-9223372036854775808',
    '123456789012345678901234567890',
    '0',
    '-1',
    '{"seed":18446744073709551615,"n":1.5,"list":[12345678901234567890,1]}',
    '"12345678901234567890"',
    '{"12345678901234567890":"12345678901234567890"}',
    '[true,false,null,"x"]',
    '{"seed":9223372036854775807,"list":[-9007199254740993,1],"text":"9223372036854775807"}',
  ])('round-trip %s exactly', (text) => {
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('produce a bigint only for integers that a number cannot represent', () => {
    expect(parseJson('[9007199254740991,9007199254740992,-9007199254740992]')).toEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740992n,
    ]);
    expect(parseJson('12345678901234567.5')).toBe(12345678901234568);
    expect(parseJson('1e300')).toBe(1e300);
  });

  test('read everything else as JSON.parse does', () => {
    const text = '{"a":1.5,"b":9007199254740991,"c":1e300,"d":"1234567890123456789","e":[null,true]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each(['', '{', '{"a":1,}', "{'a':1}", 'NaN', '[1', '01234567890123456789'])('reject %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('keep a member named __proto__ as a member', () => {
    const parsed = parseJson('{"__proto__":{"a":12345678901234567890}}');
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(stringifyJson(parsed)).toBe('{"__proto__":{"a":12345678901234567890}}');
  });
});

test('the as… functions return undefined for values of other types', () => {
  const values: readonly unknown[] = ['x', '', 1, 1.5, Number.NaN, 2 ** 53, 5n, null, undefined, [], {}];
  expect(values.filter(isRecord)).toEqual([{}]);
  expect(values.map(asRecord).filter(Boolean)).toEqual([{}]);
  expect(values.map(asString).filter((value) => value !== undefined)).toEqual(['x', '']);
  expect(values.map(asInteger).filter((value) => value !== undefined)).toEqual([1]);
  expect(values.map(asId).filter((value) => value !== undefined)).toEqual(['x', '1', '5']);
  expect(
    [...values, -1, 2 ** 31, 2 ** 31 - 1, 0, '7', '-1', ' 1', '1.5', '2147483648']
      .map(asIndex)
      .filter((value) => value !== undefined),
  ).toEqual([1, 2 ** 31 - 1, 0, 7]);
  expect([...values, true, false].map(asBoolean).filter((value) => value !== undefined)).toEqual([
    true,
    false,
  ]);
  expect([...values, { a: [1] }].map(asJsonObject).filter(Boolean)).toEqual([{}, { a: [1] }]);
  expect(asArray([1])).toEqual([1]);
  expect(asArray({ length: 1 })).toEqual([]);
});

test('two values are the same JSON if they are deeply equal', () => {
  const random = createRandom(2);
  const build = (depth: number): Json => {
    const kind = Math.floor(random() * (depth > 2 ? 4 : 6));
    if (kind < 4) return [null, 1, 'a', 2n ** 60n][kind] ?? null;
    const values = Array.from({ length: Math.floor(random() * 3) }, () => build(depth + 1));
    const names = ['a', 'b', '__proto__'].toSorted(() => random() - 0.5);
    return kind === 4
      ? values
      : Object.fromEntries(values.map((value, index) => [names[index] ?? '', value] as const));
  };
  let same = 0;
  for (let turn = 0; turn < 5000; turn += 1) {
    const [left, right] = [build(0), build(0)];
    const isEqual = isDeepStrictEqual(left, right);
    same += Number(isEqual && typeof left === 'object' && left !== null);
    expect([left, right, isSameJson(left, right)]).toEqual([left, right, isEqual]);
    expect(isSameJson(left, structuredClone(left))).toBe(true);
  }
  expect(same).toBeGreaterThan(15);
});
