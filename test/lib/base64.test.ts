import { setFlagsFromString } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { base64Digits } from '../../src/lib/base64.ts';
import { withoutMedia } from '../../src/generations/without-media.ts';

test.each([
  ['aGVsbG8', 'aGVsbG8'],
  ['aGVsbG8=', 'aGVsbG8'],
  ['a-_+/w==', 'a-_+/w'],
  ['aGVsbG8===', undefined],
  ['aGVs=bG8=', undefined],
  ['a b', undefined],
  ['aGVsbG8=\n', undefined],
  ['é', undefined],
  ['==', undefined],
  ['', undefined],
])('the digits of %j are %j', (text, digits) => {
  expect(base64Digits(text)).toBe(digits);
});

test('text as long as an event may have is recognized, also when V8 does not optimize regular expressions', () => {
  // As it does by itself when those of a process have become large.
  setFlagsFromString('--no-regexp-optimization');
  onTestFinished(() => setFlagsFromString('--regexp-optimization'));
  const text = `${'A'.repeat(16_777_212)}QUJD`;
  expect(base64Digits(text)?.length).toBe(text.length);
  expect(withoutMedia(text)).toMatch(/^base64: 12582912 bytes, sha256 [\da-f]{64}$/);
});
