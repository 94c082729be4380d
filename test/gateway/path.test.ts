import { describe, expect, test } from 'vitest';
import { linkOf, pathOf } from '../../src/gateway/path.ts';

describe('a path', () => {
  test('is filled with encoded segments, and its template has none of them', () => {
    expect(pathOf`/hosta/v1/models/${'black-forest-labs'}/${'flux ü'}/predictions`).toEqual({
      path: '/hosta/v1/models/black-forest-labs/flux%20%C3%BC/predictions',
      template: '/hosta/v1/models/{id}/{id}/predictions',
    });
    expect(pathOf`/v1beta/models/${'gemini-pro'}:generateContent`).toMatchObject({
      template: '/v1beta/models/{id}:generateContent',
    });
  });

  test.each(['', '.', '..'])('has no segment "%s"', (segment) => {
    expect(() => pathOf`/hostb/${segment}/requests`).toThrow(RangeError);
  });
});

test.each([
  ['https://gateway.example/hosta/v1/predictions/p-7f3a?x=1', 'p-7f3a', '/hosta/v1/predictions/{id}'],
  [
    'https://gateway.example/hosta/v1/predictions/ufawqhfy/cancel',
    'ufawqhfy',
    '/hosta/v1/predictions/{id}/cancel',
  ],
  ['https://files.example/a1b2/p/7', 'x', '/{id}/p/{id}'],
])('the template of %s is the same for all tasks', (url, upstreamId, template) => {
  expect(linkOf(url, upstreamId)).toEqual({ path: url, template });
});
