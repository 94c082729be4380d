import { expect, test } from 'vitest';
import { createKeptRefusals } from '../../src/generations/kept-refusals.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('callers that the gateway has not accepted keep a limited number of refusals in all', () => {
  const clock = createManualClock();
  const keepsRefusal = createKeptRefusals(clock);
  const key = { source: 'operation' };
  const countKept = (count: number): number =>
    Array.from({ length: count }, () => keepsRefusal({ key, isCallerAccepted: false })).filter(Boolean)
      .length;
  expect(countKept(30_000)).toBe(20_000);
  expect(keepsRefusal({ key, isCallerAccepted: true })).toBe(true);
  clock.advance(60_000);
  expect(countKept(30_000)).toBe(2000);
  expect(keepsRefusal({ key: { source: 'client' } })).toBe(false);
});
