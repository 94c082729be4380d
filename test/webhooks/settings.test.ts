import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { readOperatorWebhooks } from '../../src/webhooks/operator-webhooks.ts';
import { findChangedSettings } from '../../src/changed-settings.ts';
import { createDirectory } from '../support/durable-server.ts';
import { problemWith } from '../support/problem-with.ts';
import { secret } from '../support/webhook-receiver.ts';

const good = { name: 'orders', url: 'https://orders.example', secret };
const kinds = new Set(['CHAT', 'SONG']);

function read(webhooks: unknown, others: Readonly<Record<string, string>> = {}) {
  const text = typeof webhooks === 'string' ? webhooks : JSON.stringify(webhooks);
  return readOperatorWebhooks(loadConfig({ WEBHOOKS: text, ...others }), kinds);
}

describe('WEBHOOKS', () => {
  test('is JSON or the path of a file, and is never printed', async () => {
    const webhook = {
      ...good,
      kinds: ['SONG'],
      statuses: ['FAILED'],
      collections: ['a'],
      includeContent: true,
    };
    const expected = [
      { id: 'operator_orders', kinds: ['SONG'], statuses: ['FAILED'], collections: ['a'], hasContent: true },
    ];
    expect(read([webhook])).toMatchObject(expected);
    const file = join(await createDirectory(), 'webhooks.json');
    await writeFile(file, JSON.stringify([webhook]));
    expect(read(file)).toMatchObject(expected);
    const printed = findChangedSettings(loadConfig({ WEBHOOKS: JSON.stringify([webhook]) }));
    expect(printed).toEqual({ WEBHOOKS: '…' });
  });

  test.each([
    ['[{', 'the value is not valid JSON'],
    ['/does/not/exist.json', 'the path of a file with it: ENOENT'],
    [[{ ...good, name: 'a b' }], '[0].name: expected up to 64 letters'],
    [[good, good], 'the list: expected a different name for each webhook'],
    [[{ ...good, url: 'orders.example' }], '[0].url: expected an https URL'],
    [
      [{ ...good, url: 'http://orders.example' }],
      'orders: expected an https URL, or a host that WEBHOOK_HOSTS lists',
    ],
    [
      [{ ...good, url: 'https://me:pass@orders.example' }],
      '[0].url: expected a URL without user and password',
    ],
    [[{ ...good, secret: 'whsec_c2hvcnQ=' }], '[0].secret: expected whsec_ and 24 to 64 bytes in base64'],
    [[{ ...good, secret: undefined }], '[0].secret: expected whsec_ and 24 to 64 bytes in base64'],
    [[{ ...good, secret: [secret, 'b'] }], '[0].secret[1]: expected whsec_'],
    [[{ ...good, secret: [] }], '[0].secret'],
    [[{ ...good, kinds: ['FILM'] }], 'orders: there is no kind FILM'],
    [[{ ...good, statuses: ['RUNNING'] }], '[0].statuses[0]: expected one of SUCCEEDED'],
    [[{ ...good, status: 'FAILED' }], 'Unrecognized key'],
  ])('%j ends the start with a message that says what is wrong: %s', (webhooks, message) => {
    expect(() => read(webhooks)).toThrow(message);
  });

  test.each([
    [`[{"secret": "${secret}"`],
    [[{ ...good, name: 1 }]],
    [[{ ...good, secret: `${secret}!` }]],
    // Without its brackets, and with the quotes that a file of settings keeps.
    [JSON.stringify(good)],
    [`'${JSON.stringify([good])}'`],
  ])('a message has no secret (%#)', (webhooks) => {
    expect(() => read(webhooks)).toThrow(
      expect.objectContaining({
        message: expect.not.stringContaining(secret.slice(6)),
        name: 'ConfigError',
      }),
    );
  });

  test('an address may have @ in its path', () => {
    const url = 'https://orders.example/webhook/7c1f@9a02/incoming';
    expect(read([{ ...good, url }])).toMatchObject([{ url }]);
  });

  test('a host that is listed may be called without TLS, with or without its port', () => {
    const inside = { ...good, url: 'http://hooks.internal:8080/in' };
    for (const hosts of ['hooks.internal', 'HOOKS.internal:8080, other'])
      expect(read([inside], { WEBHOOK_HOSTS: hosts })).toHaveLength(1);
    expect(() => read([inside], { WEBHOOK_HOSTS: 'hooks.internal:80' })).toThrow('WEBHOOK_HOSTS');
    expect(problemWith({ WEBHOOK_HOSTS: 'http://hooks.internal' })).toContain('expected hosts such as');
    expect(problemWith({ OWNER_WEBHOOK_HOSTS: '*' })).toContain('expected hosts such as');
  });
});
