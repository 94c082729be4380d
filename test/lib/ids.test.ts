import { describe, expect, test } from 'vitest';
import { packId, randomId, recordId, unpackId } from '../../src/lib/ids.ts';

test('the id of a record begins with its second, in an order that texts have too', () => {
  const times = [0, 999, 1000, 63_000, 64_000, 1_790_000_000_000, 1_790_000_001_000];
  const ids = times.map((time) => recordId('generation', time));
  expect(ids.every((id) => /^generation_[\w-]{20}$/.test(id))).toBe(true);
  const starts = ids.map((id) => id.slice(0, 'generation_'.length + 5));
  expect(starts[0]).toBe(starts[1]);
  expect(new Set(starts).size).toBe(times.length - 1);
  expect(starts.toSorted()).toEqual(starts);
  expect(new Set(Array.from({ length: 1000 }, () => recordId('generation', 0))).size).toBe(1000);
});

test('a random id has a type prefix, is URL-safe and unique', () => {
  const ids = Array.from({ length: 1000 }, () => randomId('generation'));
  expect(ids.every((id) => /^generation_[\w-]{20}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a packed id', () => {
  test.each([[['a']], [['']], [[]], [['a', 'b/c', '../..', '漢😀', '"', '_', '\u0000']]])(
    'of %j unpacks',
    (members) => {
      const id = packId('task', members);
      expect(id).toMatch(/^task_[\w-]+$/);
      expect(unpackId('task', id)).toEqual(members);
    },
  );

  test('does not unpack with another prefix', () => {
    expect(unpackId('voice', packId('task', ['a']))).toBeUndefined();
    expect(unpackId('tas', packId('task', ['a']))).toBeUndefined();
  });

  const encode = (text: string): string => Buffer.from(text).toString('base64url');
  const id = packId('task', ['a', 'b']);
  test.each([
    ['no text', ''],
    ['only a prefix', 'task_'],
    ['no prefix', id.slice(5)],
    ['padding', `${id}==`],
    ['a space', `${id} `],
    ['a line feed', `${id}\n`],
    ['another alphabet', 'task_ab+/'],
    ['a missing last character', id.slice(0, -1)],
    ['another case', id.toUpperCase()],
    ['invalid JSON', `task_${encode('{')}`],
    ['a JSON string', `task_${encode('"a"')}`],
    ['an object', `task_${encode('{"0":"a"}')}`],
    ['a number inside', `task_${encode('[1]')}`],
    ['a list inside', `task_${encode('[["a"]]')}`],
    ['non-canonical JSON', `task_${encode('["a", "b"]')}`],
    ['invalid UTF-8', `task_${Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]).toString('base64url')}`],
  ])('with %s is rejected', (_name, tampered) => {
    expect(unpackId('task', tampered)).toBeUndefined();
  });

  test('has one canonical encoding: nonzero padding bits are rejected', () => {
    const text = id.slice(5);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spellings = Array.from(alphabet, (letter) => `task_${text.slice(0, -1)}${letter}`);
    expect(spellings.filter((spelling) => unpackId('task', spelling)?.join() === 'a,b')).toEqual([id]);
  });
});
