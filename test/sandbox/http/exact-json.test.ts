import { expect, test } from 'vitest';
import { parseExactJson, stringifyExactJson } from '../../../src/sandbox/http/exact-json.ts';

test('integers beyond 2^53 survive a round trip', () => {
  const text = '{"seed":9223372036854775807,"list":[-9007199254740993,1],"text":"9223372036854775807"}';
  expect(stringifyExactJson(parseExactJson(text))).toBe(text);
});

test('everything else is what JSON.parse gives', () => {
  const text = '{"a":1.5,"b":9007199254740991,"c":1e300,"d":"1234567890123456789","e":[null,true]}';
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
});
