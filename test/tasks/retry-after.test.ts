import { expect, test } from 'vitest';
import { RateLimitError } from '../../src/errors.ts';
import { createRetryAfter } from '../../src/tasks/retry-after.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('the waits of the newest 20,000 owners are kept, however many credentials the gateway has refused', () => {
  const retryAfter = createRetryAfter(createManualClock());
  const error = new RateLimitError('Slow down.', { retryAfterSeconds: 60 });
  const owners = Array.from({ length: 20_001 }, (_, index) => `owner-${index} music`);
  for (const owner of owners) retryAfter.record(owner, error, []);
  expect(owners.filter((owner) => retryAfter.activeError(owner)).length).toBe(20_000);
  expect(retryAfter.activeError('owner-20000 music')).toBeDefined();
});
