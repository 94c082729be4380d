import { describe, expect, test } from 'vitest';
import { RateLimitError } from '../../src/errors.ts';
import { createRetryAfter } from '../../src/tasks/retry-after.ts';
import { buildTask, owner } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startSongPoller } from '../support/song-poller.ts';

test('the waits of the newest 20,000 owners are kept, however many credentials the gateway has refused', () => {
  const retryAfter = createRetryAfter(createManualClock());
  const error = new RateLimitError('Slow down.', { retryAfterSeconds: 60 });
  const owners = Array.from({ length: 20_001 }, (_, index) => `owner-${index} music`);
  for (const owner of owners) retryAfter.record(owner, error, []);
  expect(owners.filter((owner) => retryAfter.findError(owner)).length).toBe(20_000);
  expect(retryAfter.findError('owner-20000 music')).toBeDefined();
});

describe('a gateway that asks to wait for years, such as by a time in place of seconds, is asked again after an hour', () => {
  const retryAfterSeconds = 1_763_654_400;

  test('by readers', () => {
    const clock = createManualClock();
    const retryAfter = createRetryAfter(clock);
    retryAfter.record('owner music', new RateLimitError('Slow down.', { retryAfterSeconds }), []);
    clock.advance(3_599_000);
    expect(retryAfter.findError('owner music')).toBeDefined();
    clock.advance(1000);
    expect(retryAfter.findError('owner music')).toBeUndefined();
  });

  test('by the poller', async () => {
    let reads = 0;
    const { poller, clock, advance } = startSongPoller((task) => {
      reads += 1;
      const readFailure = { code: 'RATE_LIMITED', message: 'Slow down.', retryAfterSeconds } as const;
      return { ...task, readFailure };
    });
    const caller = { owner, credential: '', userId: undefined, forwarded: {} };
    poller.follow(caller, [{ task: buildTask({}), createdAt: clock.now() + 7_200_000 }]);
    await advance(2000);
    await advance(3_590_000);
    expect(reads).toBe(1);
    await advance(10_000);
    expect(reads).toBe(2);
    poller.close();
  });
});
