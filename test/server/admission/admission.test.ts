import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { RateLimitError } from '../../../src/errors.ts';
import type { Caller } from '../../../src/gateway/caller.ts';
import {
  type Admission,
  createAdmission,
  longRunningMs,
  type Permit,
} from '../../../src/server/admission/admission.ts';
import type { AdmissionLimits } from '../../../src/server/admission/admission-path.ts';
import { createTokenBuckets } from '../../../src/server/admission/token-buckets.ts';
import { noLimits } from '../../../src/lib/fairness/fair-queue.ts';
import { sliceMs } from '../../../src/lib/fairness/slice.ts';
import { unlimited } from '../../support/admission.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createManualLoop } from '../../support/manual-loop.ts';

function callerOf(credential: string, owner = credential): Caller {
  return { credential, owner, userId: undefined, forwarded: {} };
}

function setUp(limits: Partial<AdmissionLimits>, accepted: readonly string[] = ['a', 'b']) {
  const clock = createManualClock();
  const loop = createManualLoop();
  const admission = createAdmission({
    limits: { ...unlimited, ...limits },
    acceptedCallers: { has: ({ credential }) => accepted.includes(credential) },
    clock,
    loop,
  });
  return { admission, clock, loop };
}

function enter(admission: Admission, caller: Caller | undefined, address = '192.0.2.1'): Permit {
  return admission.enter({ caller, address });
}

const document = parse('subscription { generationChanged { cursor } }');
const one = { ...noLimits, running: 1 };

test('operations beyond the limit of their owner wait, and start when others end', async () => {
  const { admission, loop } = setUp({ owner: one });
  const first = enter(admission, callerOf('a'));
  expect(first.admitted).toBeUndefined();
  const second = enter(admission, callerOf('a'));
  const third = enter(admission, callerOf('a'));
  expect(enter(admission, callerOf('b')).admitted).toBeUndefined();
  first.release();
  loop.iterate();
  expect(await second.admitted).toBe(true);
  third.release();
  expect(await third.admitted).toBe(false);
});

test('operations beyond the queue are refused, and the caller learns when to retry', () => {
  const { admission } = setUp({ owner: { ...one, waiting: 1 } });
  enter(admission, callerOf('a'));
  enter(admission, callerOf('a'));
  expect(() => enter(admission, callerOf('a'))).toThrow(RateLimitError);
  expect(() => enter(admission, callerOf('a'))).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 1 }),
  );
});

test('an operation that runs for long makes room for the next', async () => {
  const { admission, clock, loop } = setUp({ owner: { ...one, open: 1 } });
  enter(admission, callerOf('a'));
  const second = enter(admission, callerOf('a'));
  const third = enter(admission, callerOf('a'));
  clock.advance(longRunningMs);
  loop.iterate();
  expect(await second.admitted).toBe(true);
  // Only one long-running operation is allowed, so the second keeps its place.
  clock.advance(2 * longRunningMs);
  second.release();
  loop.iterate();
  expect(await third.admitted).toBe(true);
});

test('subscriptions beyond the limit of open ones are refused', () => {
  const { admission } = setUp({ owner: { ...noLimits, open: 1 } });
  const first = enter(admission, callerOf('a'));
  first.reserveOpen(document);
  first.settle();
  const second = enter(admission, callerOf('a'));
  expect(() => second.reserveOpen(document)).toThrow(RateLimitError);
  first.release();
  second.reserveOpen(document);
});

test('a released operation does not count as open', () => {
  const { admission } = setUp({ owner: { ...noLimits, open: 1 } });
  const first = enter(admission, callerOf('a'));
  first.release();
  first.reserveOpen(document);
  expect(() => enter(admission, callerOf('a')).reserveOpen(document)).not.toThrow();
});

test('end users share the limit of their account', () => {
  const { admission } = setUp({ account: one });
  enter(admission, callerOf('a', 'a1'));
  expect(enter(admission, callerOf('a', 'a2')).admitted).toBeDefined();
});

test('callers that the gateway has not accepted share the limit of their address', () => {
  const { admission } = setUp({ address: one });
  enter(admission, callerOf('x'));
  expect(enter(admission, callerOf('y')).admitted).toBeDefined();
  expect(enter(admission, undefined).admitted).toBeDefined();
  expect(enter(admission, callerOf('z'), '192.0.2.2').admitted).toBeUndefined();
  expect(enter(admission, callerOf('a')).admitted).toBeUndefined();
});

test('an operation waits for the next iteration of the event loop when the slice is over', async () => {
  const { admission, loop } = setUp({});
  expect(enter(admission, callerOf('a')).admitted).toBeUndefined();
  loop.work(sliceMs.operations);
  const second = enter(admission, callerOf('a'));
  expect(second.admitted).toBeDefined();
  loop.iterate();
  expect(await second.admitted).toBe(true);
});

test('the first operations of a caller do not count against the rate once the gateway accepts it', () => {
  const clock = createManualClock();
  const accepted = new Set<string>();
  const rate = { burst: 1, perSecond: 1 };
  const admission = createAdmission({
    limits: unlimited,
    acceptedCallers: { has: ({ credential }) => accepted.has(credential) },
    anonymousRate: createTokenBuckets({ perAddress: rate, total: rate, clock }),
    clock,
  });
  const first = enter(admission, callerOf('a'));
  expect(() => enter(admission, callerOf('b'))).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 1 }),
  );
  accepted.add('a');
  first.release();
  first.release();
  expect(() => enter(admission, callerOf('b'))).not.toThrow();
});
