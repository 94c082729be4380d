import { expect, onTestFinished, test, vi } from 'vitest';
import { createCredentialSource } from '../../src/client/credential.ts';
import { createReconnectingClient } from '../../src/client/reconnecting.ts';
import { SilentSocket } from '../support/stub-sockets.ts';

test('operations end with the error of a credential function that has failed a hundred times in a row', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let calls = 0;
  const client = createReconnectingClient({
    url: 'ws://localhost',
    webSocketImpl: SilentSocket,
    credential() {
      calls += 1;
      throw new Error('There is no session.');
    },
  });
  onTestFinished(() => void client.dispose());
  const errors: unknown[] = [];
  client.subscribe(
    { query: '{ __typename }' },
    { next() {}, error: (error) => void errors.push(error), complete() {} },
  );
  // All back-offs together are shorter.
  await vi.advanceTimersByTimeAsync(600_000);
  expect(errors).toMatchObject([{ message: 'There is no session.' }]);
  expect(calls).toBe(101);
});

test('a connection that opens while a renewal fails waits for it, and the function runs once at a time', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const token = (name: string) => `a.${btoa(JSON.stringify({ name, exp: Date.now() / 1000 + 100 }))}.c`;
  const isUp = Promise.withResolvers<void>();
  const waits: (() => void)[] = [];
  const calls: string[] = [];
  const source = createCredentialSource({
    async credential() {
      calls.push(token(`${calls.length}`));
      if (calls.length === 2) throw new Error('The identity provider is down.');
      if (calls.length > 2) await isUp.promise;
      return calls.at(-1);
    },
    wait: () => new Promise((resolve) => waits.push(resolve)),
    attempts: 100,
    onRenewed() {},
  });
  onTestFinished(() => source.dispose());
  await source.read();
  source.plan();
  await vi.advanceTimersByTimeAsync(100_000);
  expect([calls.length, waits.length]).toEqual([2, 1]);
  // The server has closed the connection of the expired token.
  source.stop();
  const next = source.read();
  waits[0]?.();
  await vi.advanceTimersByTimeAsync(1);
  isUp.resolve();
  expect(await next).toBe(calls[2]);
  expect([calls.length, waits.length]).toEqual([3, 1]);
  // The next one has another.
  expect([await source.read(), calls.length]).toEqual([calls[3], 4]);
});
