import { expect, onTestFinished, test, vi } from 'vitest';
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
