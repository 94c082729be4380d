import { expect, test } from 'vitest';
import { parseReply } from '../../src/gateway/parse-reply.ts';
import { parseJson } from '../../src/lib/json.ts';

test.each([
  '9007199254740993',
  '-9007199254740993',
  '[1,{"seed":18446744073709551615,"name":"18446744073709551615"}]',
  '{"a":{"b":[0.5,[1e300,123456789012345678901234567890]]}}',
  '{"twice":9007199254740993,"twice":1}',
  '{"__proto__":9007199254740993}',
  `[${'9'.repeat(400)}]`,
])('wide integers of a reply stay exact: %s', (text) => {
  const exact = parseJson(text, true);
  expect(parseReply(text)).toEqual(exact);
});

test.each(['9007199254740991', '-9007199254740991', '1e300', '[-0, 12345678901234567.5, 1E20]'])(
  'other numbers of a reply stay numbers: %s',
  (text) => {
    expect(parseReply(text)).toEqual(JSON.parse(text));
  },
);

test('a wide integer counts at the greatest accepted depth, and none deeper', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}9007199254740993${']'.repeat(levels)}`;
  expect(parseReply(nested(100))).toEqual(parseJson(nested(100), true));
  expect(() => parseReply(nested(101))).toThrow(SyntaxError);
});
