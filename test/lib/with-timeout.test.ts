import { describe, expect, test } from 'vitest';
import { withTimeout } from '../../src/lib/with-timeout.ts';
import { createManualClock } from '../support/manual-clock.ts';

const timeoutMs = 50;

describe('within', () => {
  test('resolves or rejects with a promise that settles in time, and leaves no timer behind', async () => {
    const clock = createManualClock();
    expect(await withTimeout(Promise.resolve(1), { clock, timeoutMs })).toBe(1);
    await expect(withTimeout(Promise.reject(new Error('no')), { clock, timeoutMs })).rejects.toThrow('no');
    expect(clock.pending(timeoutMs)).toBe(0);
  });

  test('resolves with undefined at the timeout, and ignores a rejection after it', async () => {
    const clock = createManualClock();
    const { promise, reject } = Promise.withResolvers<number>();
    const waiting = withTimeout(promise, { clock, timeoutMs });
    clock.advance(timeoutMs);
    expect(await waiting).toBeUndefined();
    // An unhandled rejection would fail the run.
    reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
