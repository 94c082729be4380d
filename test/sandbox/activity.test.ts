import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createActivityLog } from '../../src/sandbox/http/activity.ts';

test.each([
  ['headers', '/health', { authorization: 'x'.repeat(15_000) }],
  ['an address', `/v1beta/models/m:generateContent?key=${'x'.repeat(15_000)}`, {}],
] as const)('recent requests with long texts in %s take at most 64 MB', (_name, url, headers) => {
  const log = createActivityLog();
  for (let count = 0; count < 6000; count += 1) {
    const incoming = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url, headers });
    log.begin(incoming, new ServerResponse(incoming));
    log.arrived(incoming, '');
  }
  const kept = log.requests();
  expect(kept.length).toBeGreaterThan(1000);
  expect(kept.length * 15_000).toBeLessThanOrEqual(64 * 1024 * 1024);
});

test('recent requests with long bodies take at most 64 MB, and are parsed when they are read', () => {
  const log = createActivityLog();
  const text = `[${'[],'.repeat(20_000)}0]`;
  for (let count = 0; count < 3000; count += 1) {
    const incoming = Object.assign(new IncomingMessage(new Socket()), {
      method: 'POST',
      url: '/',
      headers: {},
    });
    log.begin(incoming, new ServerResponse(incoming));
    log.arrived(incoming, text);
  }
  const kept = log.requests();
  expect(kept.length).toBeGreaterThan(1000);
  expect(kept.length * text.length).toBeLessThanOrEqual(64 * 1024 * 1024);
  const [first, last] = [kept[0]?.body, kept.at(-1)?.body];
  expect(first).toEqual(last);
  expect(first).not.toBe(last);
});
