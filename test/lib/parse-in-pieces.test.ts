import { expect, test, vi } from 'vitest';
import { largeWork } from '../../src/lib/fairness/large-work.ts';
import { largeChars } from '../../src/lib/json-size.ts';
import { parseJson } from '../../src/lib/json.ts';
import { parseInPieces } from '../../src/lib/parse-in-pieces.ts';

function times(text: string, chars: number): string {
  return text.repeat(Math.ceil(chars / text.length));
}

/** Each with the number of places at which a piece can end. */
test.each([
  ['plain', 'word of prose ', 1],
  ['quotes', 'a "quoted" word\n', 3],
  ['backslashes', '\\', 2],
  ['backslashes and quotes', '\\\\"', 6],
  ['escaped letters', '\u0001', 6],
  ['surrogate pairs', '😀', 2],
  ['a lone surrogate', 'x\ud83dy', 8],
])('large strings of %s are parsed like small ones', async (_what, content, places) => {
  for (let shift = 0; shift < places; shift += 1) {
    const large = 'x'.repeat(shift) + times(content, 1.1 * largeChars);
    const value = { a: [large, 'small', { b: large.slice(5) }], __proto: null, c: large };
    const text = JSON.stringify(value);
    const nextPiece = vi.spyOn(largeWork, 'nextPiece');
    expect((await parseInPieces(text)) as unknown).toEqual(value);
    expect(nextPiece.mock.calls.length).toBeGreaterThan(5);
    nextPiece.mockRestore();
  }
});

test('escapes that JSON.stringify does not write are kept', async () => {
  for (const shift of [0, 2, 4, 6, 8, 10, 12]) {
    const body = 'x'.repeat(shift) + times('\\ud83d\\ude00\\/', 1.1 * largeChars);
    const text = `{"a":"${body}","b":12345678901234567890,"\\u0061b":1}`;
    expect(await parseInPieces(text)).toEqual(parseJson(text));
  }
});

test('white space between a large string and what follows can be as long as a piece', async () => {
  const large = times('word ', largeChars + 1);
  const space = ' \t\r\n'.repeat(300_000);
  const text = `{"${large}"${space}:"${large}"${space},"list":["${large}"${space}]${space}}`;
  expect(await parseInPieces(text)).toEqual(parseJson(text));
});

test('members with unusual names keep their values', async () => {
  const large = times('word ', largeChars + 1);
  const text = `{"__proto__":"${large}","${large}" : "${large}","a":"${large}","a":"last","list":[[["${large}"]]]}`;
  const parsed = await parseInPieces(text);
  expect(JSON.stringify(parsed) === JSON.stringify(parseJson(text))).toBe(true);
  expect(Object.keys(parsed as object)).toContain('__proto__');
});

test.each([
  ['a string that does not end', (large: string) => `["${large}`],
  ['a line break in a string', (large: string) => `["${large}\n"]`],
  ['an invalid escape', (large: string) => `["${large}\\x"]`],
  ['an escape that is cut', (large: string) => `["${large}\\u12"]`],
  ['a missing bracket', (large: string) => `["${large}"`],
  ['a no-break space before a colon', (large: string) => `{"${large}"\u00a0:1}`],
  ['text behind the value', (large: string) => `["${large}"] "${large}"`],
])('%s is a syntax error', async (_what, toText) => {
  const text = toText(times('word ', 2 * largeChars));
  await expect(parseInPieces(text)).rejects.toThrow(SyntaxError);
});
