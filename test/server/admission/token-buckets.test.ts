import { expect, test } from 'vitest';
import { createTokenBuckets } from '../../../src/server/admission/token-buckets.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function setUp() {
  const clock = createManualClock();
  const buckets = createTokenBuckets({
    perAddress: { burst: 3, perSecond: 1 },
    total: { burst: 5, perSecond: 1 },
    clock,
  });
  return { clock, buckets };
}

test('an address has a burst, then a rate', () => {
  const { clock, buckets } = setUp();
  const taken = Array.from({ length: 4 }, () => buckets.take('a'));
  expect(taken).toEqual([undefined, undefined, undefined, 1]);
  clock.advance(1000);
  expect(buckets.take('a')).toBeUndefined();
  expect(buckets.take('a', 3)).toBe(3);
});

test('a step of the system clock fills no bucket, and empties none', () => {
  const { clock, buckets } = setUp();
  buckets.take('a', 3);
  clock.step(60_000);
  expect(buckets.take('a')).toBe(1);
  clock.step(-120_000);
  clock.advance(1000);
  expect(buckets.take('a')).toBeUndefined();
});

test('all addresses together have a burst', () => {
  const { buckets } = setUp();
  buckets.take('a', 3);
  expect(buckets.take('b', 2)).toBeUndefined();
  expect(buckets.take('c')).toBe(1);
});

test('spent tokens are owed, at most as many as a full bucket holds', () => {
  const { clock, buckets } = setUp();
  expect(buckets.take('a', 0)).toBeUndefined();
  buckets.charge('a', 5);
  expect(buckets.take('a', 0)).toBe(2);
  buckets.charge('a', 1000);
  expect(buckets.take('a', 0)).toBe(5);
  clock.advance(5000);
  expect(buckets.take('a', 0)).toBeUndefined();
  expect(buckets.take('b')).toBe(1);
});

test('refunded tokens can be taken again, up to the burst', () => {
  const { buckets } = setUp();
  buckets.take('a', 3);
  for (let count = 0; count < 4; count += 1) buckets.refund('a');
  expect(buckets.take('a', 3)).toBeUndefined();
  expect(buckets.take('a')).toBe(1);
});
