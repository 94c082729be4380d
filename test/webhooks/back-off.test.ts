import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { keptDeliveries } from '../../src/store/webhook-records.ts';
import type { ReceiverReply } from '../../src/webhooks/call-receiver.ts';
import { createDeliveryQueue, retryMs } from '../../src/webhooks/delivery-queue.ts';
import { buildCreation, buildGeneration } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { operatorWebhook as webhook } from '../support/operator-webhook.ts';

const minuteMs = 60_000;

/** A queue with recorded ends, and what it sends. */
async function open(answer: (generationId: string) => ReceiverReply) {
  const clock = createManualClock();
  const store = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => store.close());
  const records = await store.setUpWebhooks({ operator: [webhook], forOwners: false });
  if (!records) throw new Error('webhooks are off');
  await records.holdQueues([webhook.id]);
  const sent: { readonly at: number; readonly id: string }[] = [];
  const outcomes: string[] = [];
  const queue = createDeliveryQueue({
    webhook,
    records,
    clock,
    random: () => 0.5,
    inTurn: (work) => work(),
    send: async ({ event: { generationId: id } }) => {
      sent.push({ at: clock.elapsed(), id });
      return answer(id);
    },
    report: (_delivery, _reply, outcome) => outcomes.push(outcome),
  });
  return {
    records,
    sent,
    outcomes,
    clock,
    async end(): Promise<string> {
      const generation = buildGeneration();
      const creation = buildCreation(generation.id, { key: undefined });
      await store.claim(creation, generation);
      await store.endGeneration(generation.id, { status: 'SUCCEEDED', finishedAt: 3000 });
      return generation.id;
    },
    /** Runs the queue after every step of this time. */
    async pass(timeMs: number, stepMs: number): Promise<void> {
      for (const end = clock.elapsed() + timeMs; clock.elapsed() < end; clock.advance(stepMs)) {
        await records.holdQueues([webhook.id]);
        await queue.run();
      }
    },
  };
}

test('a receiver that is away is called after 5, 10, 20 seconds and so on up to 5 minutes, for 72 hours', async () => {
  const { sent, outcomes, end, pass, clock } = await open(() => ({ status: 503, failure: 'status 503' }));
  await end();
  await pass(minuteMs * 20, 5000);
  const waits = sent.slice(1).map(({ at }, index) => (at - (sent[index]?.at ?? 0)) / 1000);
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, ...waits.slice(8)]);
  await pass(retryMs - clock.elapsed(), minuteMs * 10);
  expect(new Set(outcomes)).toEqual(new Set(['failed']));
  await pass(minuteMs * 10, minuteMs);
  expect(outcomes.at(-1)).toBe('given-up');
  const attempts = sent.length;
  await pass(minuteMs * 60, minuteMs);
  expect(sent).toHaveLength(attempts);
});

test('an event that a receiver refuses while it accepts others is retried up to once an hour, and delays none', async () => {
  let refused = '';
  const { sent, outcomes, end, pass } = await open((id) =>
    id === refused ? { status: 400, failure: 'status 400' } : { status: 200 },
  );
  refused = await end();
  for (let count = 0; count < 12; count += 1) {
    const accepted = await end();
    await pass(minuteMs * 30, minuteMs);
    expect(sent.filter(({ id }) => id === accepted)).toHaveLength(1);
  }
  expect(outcomes.filter((outcome) => outcome === 'delivered')).toHaveLength(12);
  const attempts = sent.filter(({ id }) => id === refused).length;
  expect(attempts).toBeGreaterThan(9);
  expect(attempts).toBeLessThan(20);
});

test('a server that was frozen sends nothing that it had read before, because another one may have sent it', async () => {
  const { clock, sent, end, pass } = await open(() => {
    if (sent.length === 1) clock.advance(minuteMs);
    return { status: 200 };
  });
  for (let count = 0; count < 6; count += 1) await end();
  await pass(1000, 1000);
  expect(sent).toHaveLength(4);
  await pass(1000, 1000);
  expect(sent).toHaveLength(6);
});

test('a webhook that is disabled keeps no more deliveries than others', async () => {
  let sent = 0;
  const { records, outcomes, end, pass } = await open(() => {
    sent += 1;
    const status = sent > 1 ? 410 : 200;
    return status === 410 ? { status, failure: 'status 410' } : { status };
  });
  await end();
  await pass(1000, 1000);
  for (let count = 0; count < keptDeliveries + 10; count += 1) await end();
  await pass(1000, 1000);
  expect(outcomes[1]).toBe('disabled');
  expect(await records.listDeliveries(webhook.id, 2 * keptDeliveries)).toHaveLength(keptDeliveries);
});
