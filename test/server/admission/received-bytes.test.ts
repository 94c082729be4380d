import { expect, test } from 'vitest';
import { RateLimitError, RequestError } from '../../../src/errors.ts';
import type { Caller } from '../../../src/gateway/caller.ts';
import { createReceivedBytes, type ReceivedBody } from '../../../src/server/admission/received-bytes.ts';

function callerOf(credential: string): Caller {
  return { credential, owner: credential, userId: undefined, forwarded: {} };
}

function setUp() {
  const bytes = createReceivedBytes({
    maxTotalBytes: 1000,
    maxBodyBytes: 200,
    maxAnonymousBodyBytes: 50,
    acceptedCallers: { has: ({ credential }) => credential.startsWith('good') },
  });
  const open = (credential: string | undefined, address = '192.0.2.1'): ReceivedBody =>
    bytes.open(() => ({ caller: credential === undefined ? undefined : callerOf(credential), address }));
  return { bytes, open };
}

test('one body has a limit, which is smaller without a credential', () => {
  const { open } = setUp();
  expect(() => open('good').update(200)).not.toThrow();
  expect(() => open('good').update(201)).toThrow(RequestError);
  expect(() => open(undefined).update(51)).toThrow('larger than 50 bytes');
});

test('an account has a quarter of the total, and all others together a half', () => {
  const { bytes, open } = setUp();
  open('good').update(200);
  expect(() => open('good').update(51)).toThrow(RateLimitError);
  for (const address of ['192.0.2.1', '192.0.2.2']) open('new', address).update(200);
  expect(() => open('other', '192.0.2.1').update(51)).toThrow(RateLimitError);
  expect(() => open('other', '192.0.2.3').update(101)).toThrow(RateLimitError);
  expect(() => open('good too').update(150)).not.toThrow();
  expect(bytes.total).toBe(200 + 51 + 400 + 51 + 101 + 150);
});

test('a closed or shrinking connection leaves the sum', () => {
  const { bytes, open } = setUp();
  const body = open('new');
  body.update(100);
  body.update(40);
  expect(bytes.total).toBe(40);
  body.close();
  expect(bytes.total).toBe(0);
  body.close();
  expect(bytes.total).toBe(0);
});
