import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { base64Digits, isBase64 } from '../../src/lib/base64.ts';

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

test('text as long as an event may have is recognized, also when V8 does not optimize regular expressions', async () => {
  const program = `
    import { base64Digits, isBase64 } from ${JSON.stringify(import.meta.resolve('../../src/lib/base64.ts'))};
    import { withoutMedia } from ${JSON.stringify(import.meta.resolve('../../src/generations/without-media.ts'))};
    const text = 'A'.repeat(16_777_212) + 'QUJD';
    console.log(JSON.stringify([base64Digits(text)?.length, withoutMedia(text)]));`;
  // As V8 does by itself when the regular expressions of a process have become large.
  const options = ['--no-regexp-optimization', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  const description = expect.stringMatching(/^base64: 12582912 bytes, sha256 [\da-f]{64}$/);
  expect(JSON.parse(stdout)).toEqual([16_777_216, description]);
});

test.each([
  ['QQ', true],
  ['QQ==', true],
  ['a-_+/w==', true],
  ['Q', false],
  ['', false],
  ['QQ==QQ', false],
  ['QUJD\n', false],
])('%j is base64: %j', (text, is) => {
  expect(isBase64(text)).toBe(is);
});

test('both ends of a long text are checked, and its length', () => {
  const long = 'A'.repeat(2_000_000);
  expect(isBase64(long)).toBe(true);
  expect(isBase64(`%${long.slice(1)}`)).toBe(false);
  expect(isBase64(`${long.slice(1)}%`)).toBe(false);
  expect(isBase64(`${long}A`)).toBe(false);
});
