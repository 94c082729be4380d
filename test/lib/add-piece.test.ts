import { expect, test } from 'vitest';
import { addPiece, addText } from '../../src/lib/add-piece.ts';

const kilobyte = Buffer.alloc(1024, 'k');
const large = Buffer.alloc(65_536, 'l');

test.each([
  ['one byte each', Array.from({ length: 100_000 }, (_, index) => Buffer.from([index])), 25],
  ['small ones between large ones', [large, kilobyte, kilobyte, large, kilobyte], 4],
])('pieces keep their bytes and become few: %s', (_what, given, most) => {
  const pieces: Buffer[] = [];
  for (const piece of given) addPiece(pieces, piece);
  expect(pieces.length).toBeLessThanOrEqual(most);
  expect(Buffer.concat(pieces).equals(Buffer.concat(given))).toBe(true);
});

test('a large piece is not copied', () => {
  const pieces: Buffer[] = [];
  addPiece(pieces, kilobyte);
  addPiece(pieces, large);
  expect(pieces).toEqual([kilobyte, large]);
  expect(pieces[1]).toBe(large);
});

test('pieces of text become few', () => {
  const pieces: string[] = [];
  const given = Array.from({ length: 100_000 }, (_, index) => String(index % 10));
  for (const piece of given) addText(pieces, piece);
  expect(pieces.length).toBeLessThanOrEqual(25);
  expect(pieces.join('')).toBe(given.join(''));
});
