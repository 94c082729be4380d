import { expect, onTestFinished, test, vi } from 'vitest';
import { largeWork } from '../../../src/lib/fairness/large-work.ts';
import { pieceChars } from '../../../src/lib/json-size.ts';
import { decodeRequest, parseLargeRequest } from '../../../src/server/operation/parse-request.ts';

test('a large text in a request is parsed in pieces, and wide integers beside it stay exact', async () => {
  const text = 'a line\n"quoted"\u2028\n'.repeat(600_000);
  const document = { query: '{ a }', variables: { text, more: [text, 'short'] } };
  const body = JSON.stringify(document).replace('"short"', '12345678901234567890');
  const nextPiece = vi.spyOn(largeWork, 'nextPiece');
  onTestFinished(() => nextPiece.mockRestore());
  const parsed = await parseLargeRequest(body);
  const expected = { query: '{ a }', variables: { text, more: [text, 12345678901234567890n] } };
  // A failed `toEqual` would print the texts.
  expect(parsed).toSatisfy((value: typeof expected) => value.variables.text === text);
  expect(parsed).toSatisfy((value: typeof expected) => value.variables.more[0] === text);
  expect(parsed).toMatchObject({
    query: '{ a }',
    variables: { more: [expect.any(String), 12345678901234567890n] },
  });
  // Of the count of its values, and of its texts.
  expect(nextPiece.mock.calls.length).toBeGreaterThan((1.5 * body.length) / pieceChars);
}, 30_000);

test.each([
  ['small', 'aé€😀', 1000],
  ['large', 'aé€😀', 400_000],
  ['large, not UTF-8', 'a\u00ff\u00e2\u0082', 400_000],
])('the parts of a %s body are decoded as one text, wherever they end', async (what, text, count) => {
  const encoding = what.includes('not') ? 'latin1' : 'utf8';
  const body = Buffer.from(text.repeat(count), encoding);
  const nextPiece = vi.spyOn(largeWork, 'nextPiece');
  onTestFinished(() => nextPiece.mockRestore());
  for (const size of [body.length, 65_536, 99_991, 400_003]) {
    nextPiece.mockClear();
    const parts: Buffer[] = [];
    for (let start = 0; start < body.length; start += size) parts.push(body.subarray(start, start + size));
    // A failed `toBe` would print the texts.
    expect((await decodeRequest(parts)) === body.toString('utf8')).toBe(true);
    expect(nextPiece.mock.calls.length).toBeGreaterThanOrEqual(Math.floor(body.length / pieceChars) - 1);
  }
  expect(decodeRequest([])).toBe('');
});
