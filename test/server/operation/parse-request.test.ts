import { expect, onTestFinished, test, vi } from 'vitest';
import { largeWork } from '../../../src/lib/fairness/large-work.ts';
import { pieceChars } from '../../../src/lib/json-size.ts';
import { parseLargeRequest } from '../../../src/server/operation/parse-request.ts';

test('a large text in a request is parsed in pieces, and wide integers beside it stay exact', async () => {
  const text = 'a line\n"quoted"\u2028\n'.repeat(600_000);
  const document = { query: '{ a }', variables: { text, more: [text, 'short'] } };
  const body = JSON.stringify(document).replace('"short"', '12345678901234567890');
  const nextPiece = vi.spyOn(largeWork, 'nextPiece');
  onTestFinished(() => nextPiece.mockRestore());
  const parsed = await parseLargeRequest([Buffer.from(body)]);
  const expected = { query: '{ a }', variables: { text, more: [text, 12345678901234567890n] } };
  // A failed `toEqual` would print the texts.
  expect(parsed).toSatisfy((value: typeof expected) => value.variables.text === text);
  expect(parsed).toSatisfy((value: typeof expected) => value.variables.more[0] === text);
  expect(parsed).toMatchObject({
    query: '{ a }',
    variables: { more: [expect.any(String), 12345678901234567890n] },
  });
  expect(nextPiece.mock.calls.length).toBeGreaterThan(body.length / pieceChars);
}, 30_000);
