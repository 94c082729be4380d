import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { queueLeaseMs } from '../../src/store/webhook-records.ts';
import { createDispatcher } from '../../src/webhooks/dispatcher.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { operatorWebhook as webhook } from '../support/operator-webhook.ts';

const roundMs = 1000;

test('a queue in use is held again long before its lease ends, and wakes add no rounds', async () => {
  const clock = createManualClock();
  const heldAt: number[] = [];
  const hung = Promise.withResolvers<void>();
  const dispatcher = createDispatcher({
    records: {
      findQueues: async () => [webhook],
      async holdQueues(ids) {
        if (ids.length > 0) heldAt.push(clock.elapsed());
        return ids;
      },
      releaseQueues: async () => {},
      giveUp: async () => 0,
    },
    clock,
    canDeliver: () => true,
    createQueue: () => ({ run: () => hung.promise, isReady: () => true, isOver: () => false, stop() {} }),
    onGivenUp() {},
    onError(error) {
      throw error;
    },
    onSuccess() {},
  });
  for (let wakes = 0; wakes < 3; wakes += 1) {
    dispatcher.wake();
    await setImmediate();
    expect(clock.pending(roundMs)).toBe(1);
  }
  for (let passedMs = 0; passedMs < queueLeaseMs; passedMs += roundMs) {
    clock.advance(roundMs);
    await setImmediate();
  }
  expect(heldAt).toEqual([0, queueLeaseMs / 3, (2 * queueLeaseMs) / 3, queueLeaseMs]);
  hung.resolve();
  await dispatcher.close(async () => {});
});
