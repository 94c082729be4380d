import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { WebhookRecords } from '../../src/store/webhook-records.ts';
import type { ReceiverReply } from '../../src/webhooks/call-receiver.ts';
import { createDeliveryQueue } from '../../src/webhooks/delivery-queue.ts';
import { createDispatcher } from '../../src/webhooks/dispatcher.ts';
import { buildCreation, buildGeneration } from '../store/support.ts';
import { advanceUntil } from '../support/advance-until.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { operatorWebhook as webhook } from '../support/operator-webhook.ts';

interface Options {
  readonly answer: (attempt: number) => ReceiverReply | Promise<ReceiverReply>;
  readonly change?: (records: WebhookRecords) => Partial<WebhookRecords>;
}

/** A server with one webhook, whose receiver answers as the test says. */
async function start({ answer, change = () => ({}) }: Options) {
  const clock = createManualClock();
  const store = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => store.close());
  const own = await store.setUpWebhooks({ operator: [webhook], forOwners: false });
  if (!own) throw new Error('webhooks are off');
  const records = { ...own, ...change(own) };
  const outcomes: string[] = [];
  let attempts = 0;
  const dispatcher = createDispatcher({
    records,
    clock,
    canDeliver: () => true,
    createQueue: (queued) =>
      createDeliveryQueue({
        webhook: queued,
        records,
        clock,
        random: () => 0.5,
        inTurn: (work) => work(),
        send: async () => answer((attempts += 1)),
        report: (_delivery, _reply, outcome) => outcomes.push(outcome),
      }),
    onGivenUp: () => {},
    onError: () => {},
    onSuccess: () => {},
  });
  onTestFinished(() => dispatcher.close(async () => {}));
  return {
    clock,
    records,
    outcomes,
    dispatcher,
    async end(): Promise<void> {
      const generation = buildGeneration();
      await store.claim(buildCreation(generation.id, { key: undefined }), generation);
      await store.endGeneration(generation.id, { status: 'SUCCEEDED', finishedAt: 3000 });
    },
  };
}

const gone: ReceiverReply = { status: 410, failure: 'status 410' };

test('a webhook whose receiver is gone is disabled although the first write fails', async () => {
  let failures = 1;
  const { clock, outcomes, dispatcher, end } = await start({
    answer: () => gone,
    change: ({ disable }) => ({
      disable: async (id, reason) => {
        failures -= 1;
        if (failures >= 0) throw new Error('no database');
        await disable(id, reason);
      },
    }),
  });
  await end();
  dispatcher.wake();
  await advanceUntil(clock, () => outcomes.length > 0, 1000);
  expect(outcomes).toEqual(['disabled']);
});

test('the queue of a disabled webhook is let go', async () => {
  const holds: (readonly string[])[] = [];
  const { clock, outcomes, dispatcher, end } = await start({
    answer: () => gone,
    change: ({ holdQueues }) => ({
      holdQueues(ids) {
        if (ids.length > 0) holds.push(ids);
        return holdQueues(ids);
      },
    }),
  });
  await end();
  dispatcher.wake();
  await advanceUntil(clock, () => outcomes.length > 0, 1000);
  const before = holds.length;
  const startedAt = clock.elapsed();
  await advanceUntil(clock, () => clock.elapsed() - startedAt > 60_000, 1000);
  expect(holds).toHaveLength(before);
});

test('a webhook that rarely gets an event keeps its last hundred deliveries', async () => {
  const { clock, records, outcomes, dispatcher, end } = await start({ answer: () => ({ status: 200 }) });
  dispatcher.wake();
  for (let count = 1; count <= 105; count += 1) {
    await end();
    await advanceUntil(clock, () => outcomes.length === count);
    // Meanwhile, its queue is forgotten.
    const deliveredAt = clock.elapsed();
    await advanceUntil(clock, () => clock.elapsed() - deliveredAt > 120_000, 20_000);
  }
  expect(await records.listDeliveries(webhook.id, 200)).toHaveLength(100);
});

test('a shutdown waits for the receivers that still answer, although another answer was not recorded', async () => {
  const slow = Promise.withResolvers<ReceiverReply>();
  const writes: string[] = [];
  let failures = 0;
  const { dispatcher, end } = await start({
    answer: (attempt) => (attempt === 1 ? { status: 200 } : slow.promise),
    change: ({ saveAttempt, releaseQueues }) => ({
      async saveAttempt(delivery, attempt) {
        if (failures === 0) {
          failures += 1;
          throw new Error('no database');
        }
        const isPending = await saveAttempt(delivery, attempt);
        writes.push(attempt.state);
        return isPending;
      },
      async releaseQueues(ids) {
        writes.push('released');
        await releaseQueues(ids);
      },
    }),
  });
  await end();
  await end();
  dispatcher.wake();
  await expect.poll(() => failures).toBe(1);
  await dispatcher.close(async () => slow.resolve({ status: 200 }));
  expect(writes).toEqual(['DELIVERED', 'released']);
});
