import { describe, expect, test } from 'vitest';
import { asWebAddress, readDataUri } from '../../src/lib/addresses.ts';

describe('a web address', () => {
  test.each(['https://x', 'http://x/a.png?b=c#d', 'HTTPS://Example.com:8443/%20', 'http://[::1]/a'])(
    'is %j, unchanged',
    (text) => expect(asWebAddress(text)).toBe(text),
  );

  test.each([
    '',
    ' ',
    'not a url',
    '/relative',
    '//x/a',
    'x.com/a',
    'https://',
    'https://a b',
    ' https://x',
    'https://x\n',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'ftp://x/a',
    'file:///etc/passwd',
    'https:x',
    5,
    null,
    undefined,
    {},
    ['https://x'],
    new URL('https://x'),
  ])('is not %j', (value) => expect(asWebAddress(value)).toBeUndefined());
});

describe('a data URI', () => {
  test.each([
    ['data:image/png;base64,AAAA', 'image/png'],
    ['DATA:image/svg+xml;charset=utf-8;base64,AAAA', 'image/svg+xml'],
  ])('%j holds a file', (uri, contentType) => {
    expect(readDataUri(uri)).toEqual({ base64: 'AAAA', contentType });
  });

  test.each([
    '',
    'data:',
    'data:image/png,AAAA',
    'data:;base64,AAAA',
    'data:image/png;base64,',
    'AAAA',
    5,
    null,
  ])('is not %j', (value) => expect(readDataUri(value)).toBeUndefined());
});
