import { expect, test, vi } from 'vitest';
import { arrivalGraceMs, startArrivalDeadline } from '../../../src/server/admission/arrival-deadline.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** A body with these bytes after each step. Returns whether it has missed its deadline after each. */
function follow(isHeld: boolean, steps: readonly (readonly [ms: number, bytes: number])[]) {
  const clock = createManualClock();
  const onMissed = vi.fn<() => void>();
  let bytes = 0;
  const cancel = startArrivalDeadline({ clock, receivedBytes: () => bytes, isHeld, onMissed });
  const missed = steps.map(([ms, added]) => {
    bytes += added;
    clock.advance(ms);
    return onMissed.mock.calls.length > 0;
  });
  cancel();
  return missed;
}

const fast = 32_000_000;

test('a body that was fast may pause for a minute if it is held, and for its credit otherwise', () => {
  const steps = [
    [arrivalGraceMs, fast],
    [59_000, 0],
    [1000, 0],
  ] as const;
  expect(follow(true, steps)).toEqual([false, false, true]);
  expect(follow(false, steps)).toEqual([false, false, false]);
});

test('a body at the slowest rate arrives', () => {
  const steps = Array.from({ length: 60 }, () => [10_000, 81_920] as const);
  expect(follow(true, steps)).not.toContain(true);
});
