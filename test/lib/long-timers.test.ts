import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';

const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('a timer of many days fires once, after that time', () => {
  const clock = createSystemClock();
  let fired = 0;
  clock.after(100 * dayMs, () => (fired += 1));
  vi.advanceTimersByTime(99 * dayMs);
  expect(fired).toBe(0);
  vi.advanceTimersByTime(2 * dayMs);
  expect(fired).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});
