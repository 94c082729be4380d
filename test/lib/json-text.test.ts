import { expect, test } from 'vitest';
import { isJsonText } from '../../src/lib/json-text.ts';
import { createRandom } from '../support/random.ts';

/** Of texts that are JSON, and of texts that are nearly so. */
const parts: readonly string[] = [
  ['{', '}', '[', ']', ',', ':', ' ', '\n', '\t', '\u00A0', '{"a":', '[1,'],
  ['0', '01', '-', '-0', '1.5', '1.', '.5', '1e5', '1E+', '1e-2', '+1', 'true', 'false', 'null', 'nul'],
  ['""', '"a"', '"\u007F"', '"\n"', '"\\u12aF"', '"\\u12g0"', '"\\x"', '"\\"', '"\\\\"', '"\uD800"'],
].flat();

test('a text is JSON if JSON.parse accepts it', () => {
  const random = createRandom(11);
  const pick = (): string => parts[Math.floor(random() * parts.length)] ?? '';
  const texts = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, pick).join(''),
  );
  const differing = texts.filter((text) => isJsonText(text) !== isParsed(text));
  expect(texts.filter(isParsed).length).toBeGreaterThan(1000);
  expect(differing).toEqual([]);
});

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('a text that nests more than 1,000 levels of %s is none', (_what, open, close) => {
  const nested = (levels: number): string => `${open.repeat(levels)}0${close.repeat(levels)}`;
  expect([isJsonText(nested(1000)), isJsonText(nested(1001))]).toEqual([true, false]);
});

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
