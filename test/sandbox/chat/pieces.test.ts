import { expect, test } from 'vitest';
import { splitPieces } from '../../../src/sandbox/chat/pieces.ts';

test.each([
  'Hello, world!  Two spaces\tand a tab\r\n\n\nthe end ',
  'Zoë naïve 北京的历史 한국어 Привет мир مرحبا 👩‍💻🇨🇭 e\u0301',
  '{"a": [1, 23456, -7.5e3], "b": "\\u00e9"}',
  '……!!!---***',
  '\u0000\u2028\ufeff',
  '',
])('the pieces of %j join to it, and none ends inside a character', (text) => {
  const pieces = splitPieces(text);
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => piece !== '' && piece.isWellFormed())).toBe(true);
});

test('words, numbers and punctuation marks split into pieces of about the length of tokens', () => {
  expect(splitPieces('Photosynthesis needs 12345 photons, or so.')).toEqual([
    'Photosyn',
    'thesis',
    ' needs',
    ' 123',
    '45',
    ' photons',
    ',',
    ' or',
    ' so',
    '.',
  ]);
});
