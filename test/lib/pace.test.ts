import { expect, test } from 'vitest';
import { createPace } from '../../src/lib/pace.ts';
import { createManualClock } from '../support/manual-clock.ts';

function start(minIntervalMs: number) {
  const clock = createManualClock();
  let isSetBack = false;
  const now = (): number => clock.now() - (isSetBack ? 3_600_000 : 0);
  let wakes = 0;
  const pace = createPace({ clock: { ...clock, now }, minIntervalMs });
  return {
    clock,
    pace,
    mustWait: () => pace.mustWait(() => void (wakes += 1)),
    wakes: () => wakes,
    setBack: () => void (isSetBack = true),
  };
}

test('the first event does not wait', () => {
  const { clock, mustWait } = start(100);
  expect(mustWait()).toBe(false);
  expect(clock.pending(100)).toBe(0);
});

test('a later event waits for the rest of the interval, with one timer', () => {
  const { clock, pace, mustWait, wakes } = start(100);
  pace.sent();
  clock.advance(40);
  expect([mustWait(), mustWait()]).toEqual([true, true]);
  expect(clock.pending(60)).toBe(1);
  clock.advance(59);
  expect(wakes()).toBe(0);
  clock.advance(1);
  expect([wakes(), mustWait()]).toEqual([1, false]);
});

test('a clock that is set back extends the wait by at most one interval', () => {
  const { clock, pace, mustWait, setBack } = start(100);
  pace.sent();
  setBack();
  expect(mustWait()).toBe(true);
  expect(clock.pending(100)).toBe(1);
});

test.each(['close', 'sent'] as const)('%s cancels the pending wake', (action) => {
  const { clock, pace, mustWait, wakes } = start(100);
  pace.sent();
  mustWait();
  pace[action]();
  clock.advance(1000);
  expect(wakes()).toBe(0);
});
