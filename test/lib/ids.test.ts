import { describe, expect, test } from 'vitest';
import { packId, randomId, unpackId } from '../../src/lib/ids.ts';

test('a random id tells its type, is URL-safe, and is never the same', () => {
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

  test('of one type is none of another', () => {
    expect(unpackId('voice', packId('task', ['a']))).toBeUndefined();
    expect(unpackId('tas', packId('task', ['a']))).toBeUndefined();
  });

  const encode = (text: string): string => Buffer.from(text).toString('base64url');
  const id = packId('task', ['a', 'b']);
  test.each([
    ['nothing', ''],
    ['only a prefix', 'task_'],
    ['no prefix', id.slice(5)],
    ['padding', `${id}==`],
    ['a space', `${id} `],
    ['a line end', `${id}\n`],
    ['another alphabet', 'task_ab+/'],
    ['a letter less', id.slice(0, -1)],
    ['another case', id.toUpperCase()],
    ['no JSON', `task_${encode('{')}`],
    ['a word', `task_${encode('"a"')}`],
    ['an object', `task_${encode('{"0":"a"}')}`],
    ['a number inside', `task_${encode('[1]')}`],
    ['a list inside', `task_${encode('[["a"]]')}`],
    ['another spelling of the same members', `task_${encode('["a", "b"]')}`],
    ['bytes that are no text', `task_${Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]).toString('base64url')}`],
  ])('with %s is no id', (_name, tampered) => {
    expect(unpackId('task', tampered)).toBeUndefined();
  });

  test('has one spelling only: bits that decoding ignores are refused', () => {
    const text = id.slice(5);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spellings = Array.from(alphabet, (letter) => `task_${text.slice(0, -1)}${letter}`);
    expect(spellings.filter((spelling) => unpackId('task', spelling)?.join() === 'a,b')).toEqual([id]);
  });
});
