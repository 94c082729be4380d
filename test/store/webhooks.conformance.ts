import { expect, test } from 'vitest';
import { toHeldOwner } from '../../src/gateway/caller.ts';
import type { GenerationPatch } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import type { Delivery, WebhookRecords, WebhookSetup } from '../../src/store/webhook-records.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expireFirst, openPair } from './instance-pairs.ts';
import type { Backend } from './store.conformance.ts';
import {
  buildCreation,
  buildGeneration,
  buildTask,
  noneAbandoned,
  owner,
  record,
  recoverAll,
  recovery,
} from './support.ts';

const all = { id: 'operator_all', url: 'https://all.example', hasContent: false };
const setup: WebhookSetup = { operator: [all], forOwners: true };
const succeeded: GenerationPatch = { status: 'SUCCEEDED', finishedAt: 3000 };

async function setUp(store: Store, changed: Partial<WebhookSetup> = {}): Promise<WebhookRecords> {
  const records = await store.setUpWebhooks({ ...setup, ...changed });
  if (!records) throw new Error('webhooks are off');
  return records;
}

/** Deliveries of a webhook that are due now, oldest first. */
async function takeDue(records: WebhookRecords, id = all.id): Promise<readonly Delivery[]> {
  await records.holdQueues([id]);
  return (await records.takeDue(id, { limit: 100, except: [] })).deliveries;
}

const statusesOf = (deliveries: readonly Delivery[]) => deliveries.map(({ event }) => event.status);

/** A visible generation that runs. */
async function start(store: Store, members: Parameters<typeof buildGeneration>[0] = {}) {
  const generation = buildGeneration({ isVisible: false, ...members });
  const creation = buildCreation(generation.id, { key: undefined, owner: generation.owner });
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED', generation: { isVisible: true } });
  return generation;
}

export function webhookConformance(backend: Backend): void {
  const open = async () => (await backend.createLocation()).open({ clock: createManualClock() });

  test('the end of a generation is an event for each webhook that wants it', async () => {
    const store = await open();
    const records = await setUp(store, {
      operator: [
        all,
        { ...all, id: 'operator_songs', kinds: ['SONG'] },
        { ...all, id: 'operator_failures', statuses: ['FAILED', 'UNKNOWN'] },
        { ...all, id: 'operator_shop', kinds: ['CHAT', 'SONG'], collections: [',', 'shop'] },
      ],
    });
    const mine = { id: 'webhook_mine', owner, url: 'https://mine.example', hasContent: true };
    await records.insert({ ...mine, sealedSecret: 's', createdAt: 1 }, 1);
    const usage = { promptTokens: 1, completionTokens: 2 };
    const chat = await start(store, { model: 'gpt "4"', collection: 'a","b' });
    await store.endGeneration(chat.id, { ...succeeded, usage, output: { type: 'chat-completion' } });
    const song = await start(store, { kind: 'SONG', owner: 'owner-b', collection: 'shop' });
    const error = { code: 'GATEWAY_ERROR', message: 'm' };
    await store.endGeneration(song.id, { status: 'FAILED', finishedAt: 3001, error });
    // Output after the end is no other end.
    await store.endGeneration(chat.id, { ...succeeded, output: { type: 'chat-completion' }, raw: 1 });

    const idsOf = async (webhook: string) =>
      new Set((await takeDue(records, webhook)).map(({ event }) => event.generationId));
    expect(await idsOf(all.id)).toEqual(new Set([chat.id, song.id]));
    expect(await idsOf('operator_songs')).toEqual(new Set([song.id]));
    expect(await idsOf('operator_failures')).toEqual(new Set([song.id]));
    expect(await idsOf('operator_shop')).toEqual(new Set([song.id]));
    expect(await idsOf(mine.id)).toEqual(new Set([chat.id]));
    const [delivery] = await takeDue(records, mine.id);
    expect(delivery).toMatchObject({
      state: 'PENDING',
      attempts: 0,
      event: {
        owner,
        kind: 'CHAT',
        status: 'SUCCEEDED',
        model: 'gpt "4"',
        collection: 'a","b',
        createdAt: 1000,
        finishedAt: 3000,
        usage,
      },
    });
    expect(delivery?.event.corrects).toBeUndefined();
    expect((await takeDue(records)).map(({ event }) => event.id)).toContain(delivery?.event.id);
  });

  test('every way to end a generation is one event, and what was refused is none', async () => {
    const store = await open();
    const records = await setUp(store);
    const ended: string[] = [];
    const settled = buildGeneration({ isVisible: false });
    const image = buildCreation(settled.id, { key: 'client:image' });
    await store.claim(image, settled);
    await store.settle(image.id, { phase: 'SETTLED', generation: { ...succeeded, isVisible: true } });
    ended.push(settled.id);
    const lost = buildGeneration({ isVisible: false });
    const unknown = buildCreation(lost.id, { key: 'client:lost' });
    await store.claim(unknown, lost);
    await store.settle(unknown.id, { phase: 'UNKNOWN', generation: { ...recovery.unknown } });
    ended.push(lost.id);
    const refused = buildGeneration({ isVisible: false });
    const refusal = buildCreation(refused.id, { key: 'client:refused' });
    await store.claim(refusal, refused);
    await store.release(refusal.id);
    const tracked = buildGeneration({ kind: 'SONG', taskId: 'task_1', isVisible: false, status: 'QUEUED' });
    const creation = buildCreation(tracked.id, { key: 'client:song' });
    const task = buildTask({ generationId: tracked.id });
    await store.claim(creation, tracked);
    await store.settle(creation.id, { phase: 'SETTLED', generation: { isVisible: true }, task });
    await store.saveTask({ ...task, progress: 0.5 }, { status: 'RUNNING' });
    await store.saveTask({ ...task, status: 'SUCCEEDED' }, succeeded);
    await store.saveTask({ ...task, status: 'SUCCEEDED' }, succeeded);
    ended.push(tracked.id);
    const canceled = await start(store);
    await store.endGeneration(canceled.id, { status: 'CANCELED', finishedAt: 3000, isVisible: true });
    await store.endGeneration(canceled.id, succeeded);
    ended.push(canceled.id);
    await start(store);

    const due = await takeDue(records);
    expect(due.map(({ event }) => event.generationId).toSorted()).toEqual(ended.toSorted());
    expect(statusesOf(due).toSorted()).toEqual(['CANCELED', 'SUCCEEDED', 'SUCCEEDED', 'UNKNOWN']);
  });

  test('a corrected end is an event of its own, for webhooks of any status, after the one that it corrects', async () => {
    const store = await open();
    const failures = { ...all, statuses: ['FAILED'] } as const;
    const records = await setUp(store, { operator: [failures] });
    const generation = await start(store, { kind: 'SONG', taskId: 'task_1', status: 'QUEUED' });
    const refusedReads = { reads: 20, firstAt: 1, lastAt: 2, endedAt: 2 };
    const task = buildTask({ generationId: generation.id, status: 'FAILED', refusedReads });
    const error = { code: 'GATEWAY_ERROR', message: 'presumed' };
    await store.saveTask(task, { status: 'FAILED', finishedAt: 3000, error });
    // Another check of the presumed end.
    await store.saveTask({ ...task, refusedReads: { ...refusedReads, lastAt: 3 } });
    const good = { ...task, refusedReads: undefined };
    await store.saveTask({ ...good, status: 'RUNNING' }, { status: 'RUNNING', error: undefined });
    await store.saveTask({ ...good, status: 'SUCCEEDED' }, { ...succeeded, error: undefined });

    const [first, ...others] = await takeDue(records);
    expect([first?.event.status, first?.event.corrects, others]).toEqual(['FAILED', undefined, []]);
    const eventId = first?.event.id ?? '';
    await records.saveAttempt({ webhookId: all.id, eventId }, { state: 'DELIVERED', responseStatus: 204 });
    const [second] = await takeDue(records);
    expect(second?.event).toMatchObject({ status: 'SUCCEEDED', corrects: eventId });
    const correctionId = second?.event.id ?? '';
    expect(correctionId).not.toBe(eventId);
    // A receiver that ignores known ids would keep the wrong end.
    await records.saveAttempt({ webhookId: all.id, eventId: correctionId }, { state: 'DELIVERED' });
    expect(await records.redeliver(all.id, [eventId])).toHaveLength(1);
    await records.saveAttempt({ webhookId: all.id, eventId }, { state: 'FAILED' });
    expect([await records.redeliver(all.id), await records.redeliver(all.id, [eventId])]).toEqual([[], []]);
  });

  test('no end is recorded without webhooks, and none for a webhook that was removed, deleted or disabled', async () => {
    const store = await open();
    expect(await store.setUpWebhooks({ operator: [], forOwners: false })).toBeUndefined();
    const end = async () => store.endGeneration((await start(store)).id, succeeded);
    await end();
    const records = await setUp(store);
    expect(await takeDue(records)).toEqual([]);
    await end();
    const own = { id: 'webhook_own', owner, url: 'https://mine.example', hasContent: false };
    expect(await records.insert({ ...own, sealedSecret: 's', createdAt: 1 }, 1)).toBe(true);
    expect(await records.insert({ ...own, id: 'webhook_2', sealedSecret: 's', createdAt: 1 }, 1)).toBe(false);
    expect(await records.delete('owner-b', own.id)).toBe(false);
    expect(await records.delete(owner, own.id)).toBe(true);
    await end();
    expect(await takeDue(records, own.id)).toEqual([]);
    expect(await takeDue(records)).toHaveLength(2);
    await records.disable(all, 'gone');
    await end();
    expect((await records.listDeliveries(all.id, 100)).map(({ state }) => state)).toEqual([
      'FAILED',
      'FAILED',
    ]);
    // The same address stays disabled, another one does not.
    await setUp(store);
    await end();
    expect(await takeDue(records)).toEqual([]);
    await setUp(store, { operator: [{ ...all, url: 'https://new.example' }] });
    await end();
    expect(await takeDue(records)).toHaveLength(1);
    await store.setUpWebhooks({ operator: [], forOwners: false });
    expect(await records.listDeliveries(all.id, 100)).toEqual([]);
  });

  test('the webhooks of callers who never made a generation are deleted unless they signed in, others are kept', async () => {
    const store = await open();
    const records = await setUp(store);
    const own = { url: 'https://own.example', hasContent: false, sealedSecret: 's' };
    const user = toHeldOwner('z');
    for (const name of ['x', 'y', user, owner])
      await records.insert({ ...own, id: `webhook_${name}`, owner: name, createdAt: 1000 }, 1);
    const { id } = await record(store);
    await store.deleteGenerations(owner, [id]);
    const sweep = async (webhooksBefore?: number, areHeldOwnersVerified = true) =>
      (
        await store.sweep({
          ...noneAbandoned,
          keysBefore: 0,
          webhooksBefore,
          areHeldOwnersVerified,
          limit: 1,
        })
      ).deleted;
    expect([await sweep(), await sweep(1000)]).toEqual([0, 0]);
    expect([await sweep(1001), await sweep(1001), await sweep(1001)]).toEqual([1, 1, 0]);
    const left = ['x', 'y', user, owner].map((name) => records.listOf(name));
    expect((await Promise.all(left)).map(({ length }) => length)).toEqual([0, 0, 1, 1]);
    // Any text could be the name of a user who has not signed in.
    expect(await sweep(1001, false)).toBe(1);
    expect(await records.holdQueues([all.id])).toEqual([all.id]);
  });

  test('a failed attempt waits for its next one, until all are retried or it is given up', async () => {
    const location = await backend.createLocation();
    const clock = createManualClock();
    const store = await location.open({ clock });
    const records = await setUp(store);
    for (let count = 0; count < 3; count += 1) await store.endGeneration((await start(store)).id, succeeded);
    const [first, second] = await takeDue(records);
    const refOf = (delivery?: Delivery) => ({ webhookId: all.id, eventId: delivery?.event.id ?? '' });
    const failed = { state: 'PENDING', responseStatus: 500, failure: 'status 500', delayMs: 4999.5 } as const;
    await records.saveAttempt(refOf(first), failed);
    expect(await takeDue(records)).toHaveLength(2);
    expect(await records.measurePending()).toMatchObject({ count: 3 });
    clock.advance(5000);
    expect(await takeDue(records)).toHaveLength(3);
    await records.saveAttempt(refOf(first), { ...failed, delayMs: 3_600_000 });
    expect(await takeDue(records)).toHaveLength(2);
    await records.retryAll(all.id);
    expect(await takeDue(records)).toHaveLength(3);
    // A clock that was ahead by a day.
    await records.saveAttempt(refOf(first), { ...failed, delayMs: 86_400_000 });
    expect(await records.giveUp(1e9)).toBe(0);
    expect(await takeDue(records)).toHaveLength(3);
    clock.advance(20_000);
    await records.markFailing(all.id);
    clock.advance(10_000);
    expect(await records.giveUp(15_000)).toBe(1);
    await records.saveAttempt(refOf(second), { state: 'DELIVERED', responseStatus: 200 });
    const states = (await records.listDeliveries(all.id, 100)).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['DELIVERED', 'FAILED', 'PENDING']);
    expect(await records.redeliver(all.id, [refOf(first).eventId])).toMatchObject([{ attempts: 3 }]);
    expect(await records.redeliver(all.id)).toEqual([]);
    await records.disable(all, 'gone');
    expect(await records.redeliver(all.id)).toMatchObject([{ state: 'PENDING' }, { state: 'PENDING' }]);
    await setUp(store, { operator: [{ ...all, url: 'https://new.example' }] });
    expect(await takeDue(records)).toHaveLength(2);
    expect(await records.redeliver(all.id, ['evt_none', 'of\u0000nobody'])).toEqual([]);
  });

  test('the last hundred ended deliveries are kept', async () => {
    const store = await open();
    const records = await setUp(store);
    for (let count = 0; count < 103; count += 1)
      await store.endGeneration((await start(store)).id, succeeded);
    const deliveries = await records.listDeliveries(all.id, 200);
    for (const { event } of deliveries.slice(0, -1))
      await records.saveAttempt({ webhookId: all.id, eventId: event.id }, { state: 'DELIVERED' });
    await records.trim(all.id);
    const kept = await records.listDeliveries(all.id, 200);
    expect(kept.filter(({ state }) => state === 'DELIVERED')).toHaveLength(100);
    expect(kept.at(-1)?.state).toBe('PENDING');
  });

  if (!backend.isShared) return;

  test('one instance works off a queue, and another takes it when that one is dead or frozen', async () => {
    const pair = await openPair(backend);
    const [first, second] = [await setUp(pair.first), await setUp(pair.second)];
    await pair.second.endGeneration((await start(pair.second)).id, succeeded);
    expect((await first.findQueues()).map(({ id }) => id)).toEqual([all.id]);
    expect(await first.holdQueues([all.id])).toEqual([all.id]);
    expect(await second.findQueues()).toEqual([]);
    expect(await second.holdQueues([all.id])).toEqual([]);
    expect(await takeDue(second)).toEqual([]);
    expect(await takeDue(first)).toHaveLength(1);
    await first.releaseQueues([all.id]);
    expect(await second.holdQueues([all.id])).toEqual([all.id]);
    expect(await takeDue(first)).toEqual([]);
    // The second instance is frozen: its lease ends by the clock of leases.
    pair.clock.advance(30_000);
    expect(await takeDue(second)).toHaveLength(1);
    pair.clock.advance(30_000);
    expect(await first.holdQueues([all.id])).toEqual([all.id]);
    expect(await takeDue(second)).toEqual([]);
    expect(await takeDue(first)).toHaveLength(1);
  });

  test('the queue of a dead instance is free when its death is known, and its interrupted work is an event', async () => {
    const pair = await openPair(backend);
    const [first, second] = [await setUp(pair.first), await setUp(pair.second)];
    const generation = await start(pair.first);
    await pair.first.endGeneration((await start(pair.first)).id, succeeded);
    expect(await takeDue(first)).toHaveLength(1);
    await expireFirst(pair);
    await recoverAll(pair.second);
    expect(statusesOf(await takeDue(second)).toSorted()).toEqual(['FAILED', 'SUCCEEDED']);
    // The instance was only frozen, and has the true end.
    await pair.first.endGeneration(generation.id, { ...succeeded, finishedAt: 9000 });
    const events = (await second.listDeliveries(all.id, 10)).map(({ event }) => event);
    const interrupted = events.find(({ error }) => error?.code === 'INTERRUPTED');
    expect(events.filter(({ corrects }) => corrects === interrupted?.id)).toMatchObject([
      { status: 'SUCCEEDED', generationId: generation.id },
    ]);
  });

  test('the refusal of a create corrects its unknown outcome, which was an event', async () => {
    const pair = await openPair(backend);
    const [, records] = [await setUp(pair.first), await setUp(pair.second)];
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id, { key: 'client:k' });
    await pair.first.claim(creation, generation);
    await expireFirst(pair);
    await recoverAll(pair.second);
    const [unknown] = await takeDue(records);
    expect(unknown?.event.status).toBe('UNKNOWN');
    const failure = { code: 'RATE_LIMITED', message: 'slow down' };
    await pair.first.release(creation.id, { refusal: { failure, at: 9000, keepsKey: false } });
    await records.saveAttempt(
      { webhookId: all.id, eventId: unknown?.event.id ?? '' },
      { state: 'DELIVERED', responseStatus: 204 },
    );
    const corrections = await takeDue(records);
    expect(corrections.map(({ event }) => event)).toMatchObject([
      { status: 'FAILED', error: failure, corrects: unknown?.event.id },
    ]);
  });
}
