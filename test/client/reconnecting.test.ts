import { expect, test } from 'vitest';
import { reconnecting, backoffMs } from '../../src/client/reconnecting.ts';

test('the back-off doubles up to a limit and has jitter', () => {
  expect([0, 1, 2, 3, 4, 5, 99].map((retries) => backoffMs(retries, 1))).toEqual([
    250, 500, 1000, 2000, 4000, 5000, 5000,
  ]);
  expect([0, 5].map((retries) => backoffMs(retries, 0))).toEqual([125, 2500]);
});

test('a client retries for at least four minutes', () => {
  let shortestMs = 0;
  for (let retries = 0; retries < reconnecting.retryAttempts; retries += 1)
    shortestMs += backoffMs(retries, 0);
  expect(shortestMs).toBeGreaterThan(240_000);
});
