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
    log.arrived(incoming, { text: '', value: undefined });
  }
  const kept = log.requests();
  expect(kept.length).toBeGreaterThan(1000);
  expect(kept.length * 15_000).toBeLessThanOrEqual(64 * 1024 * 1024);
});
