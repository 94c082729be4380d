import { expect, test } from 'vitest';
import type { Generation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import type { UsageQuery, UsageTotal } from '../../src/store/usage.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import {
  inBatches,
  buildCreation,
  buildGeneration,
  buildTask,
  noneAbandoned,
  other,
  owner,
  record,
  recovery,
} from './support.ts';

const dayMs = 86_400_000;
const all: UsageQuery = { fromDay: 0, toDay: 30, groupBy: [], limit: 1000 };

/** The counts that are not zero, as numbers. */
function shorten({ isOther, ...total }: UsageTotal): Record<string, unknown> {
  const members = Object.entries(total)
    .map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value] as const)
    .filter(([name, value]) => value !== undefined && (value !== 0 || name === 'day'));
  return { ...Object.fromEntries(members), ...(isOther && { isOther }) };
}

async function sum(
  store: Store,
  query: Partial<UsageQuery> = {},
  of = owner,
): Promise<readonly Record<string, unknown>[]> {
  return ((await store.sumUsage(of, { ...all, ...query })) ?? []).map(shorten);
}

const total = async (store: Store) => (await sum(store))[0];

export function usageConformance(backend: Backend): void {
  const { createLocation } = backend;
  const open = async () => (await createLocation()).open({ clock: createManualClock() });

  test('a create counts once it is accepted, and its end once', async () => {
    const store = await open();
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id);
    await store.claim(creation, generation);
    expect(await total(store)).toEqual({});
    const settlement = { phase: 'SETTLED', generation: { isVisible: true } } as const;
    await store.settle(creation.id, settlement);
    await store.settle(creation.id, settlement);
    expect(await total(store)).toEqual({ generations: 1 });
    const usage = { promptTokens: 3, completionTokens: 4, totalTokens: 7, cachedTokens: 2 };
    const end = { status: 'SUCCEEDED', finishedAt: 2000, usage } as const;
    await store.endGeneration(generation.id, end);
    const expected = { generations: 1, succeeded: 1, withUsage: 1, ...usage };
    expect(await total(store)).toEqual(expected);
    await store.endGeneration(generation.id, { ...end, status: 'FAILED' });
    expect(await total(store)).toEqual(expected);
  });

  test('usage that arrives after the end is added, and replaces an earlier report', async () => {
    const store = await open();
    const { id } = await record(store, { status: 'CANCELED' });
    expect(await total(store)).toEqual({ generations: 1, canceled: 1 });
    await store.endGeneration(id, { usage: { promptTokens: 5, outputTokens: 6, reasoningTokens: 1 } });
    await store.endGeneration(id, { usage: { promptTokens: 4, totalTokens: -9 } });
    expect(await total(store)).toEqual({ generations: 1, canceled: 1, withUsage: 1, promptTokens: 4 });
  });

  test('an unknown outcome that becomes known moves to its status', async () => {
    const store = await open();
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id);
    await store.claim(creation, generation);
    await store.settle(creation.id, { phase: 'UNKNOWN', generation: recovery.unknown });
    expect(await total(store)).toEqual({ generations: 1, unknown: 1 });
    const known = { status: 'SUCCEEDED', finishedAt: 3000, isVisible: true } as const;
    await store.settle(creation.id, { phase: 'SETTLED', generation: known });
    expect(await total(store)).toEqual({ generations: 1, succeeded: 1 });
  });

  test('a refused create counts nothing; one that was canceled first stays canceled', async () => {
    const store = await open();
    for (const isCanceled of [false, true]) {
      const generation = buildGeneration({ isVisible: false });
      const creation = buildCreation(generation.id, { key: undefined });
      await store.claim(creation, generation);
      const end = { status: 'CANCELED', finishedAt: 2000, isVisible: true } as const;
      if (isCanceled) await store.endGeneration(generation.id, end);
      await store.release(creation.id);
      expect(await total(store)).toEqual(isCanceled ? { generations: 1, canceled: 1 } : {});
    }
  });

  test('a task counts its end with the read that shows it', async () => {
    const store = await open();
    const generation = await record(store, { taskId: 'task_1', finishedAt: undefined, status: 'QUEUED' });
    const task = buildTask({ generationId: generation.id, status: 'RUNNING' });
    await store.saveTask(task, { status: 'UNKNOWN' });
    expect(await total(store)).toEqual({ generations: 1 });
    for (const finishedAt of [5000, 6000])
      await store.saveTask({ ...task, status: 'FAILED' }, { status: 'FAILED', finishedAt });
    expect(await total(store)).toEqual({ generations: 1, failed: 1 });
  });

  test('forgotten and expired generations stay in the sums', async () => {
    const store = await open();
    const [first] = [await record(store), await record(store, { status: 'FAILED', finishedAt: 1500 })];
    await store.deleteGenerations(owner, [first.id]);
    const expiry = { ...noneAbandoned, keysBefore: 0, generationsBefore: 1e9, limit: 10 };
    expect(await store.sweep(expiry)).toMatchObject({ deleted: 1 });
    expect(await store.listGenerations(owner, {}, { limit: 5 })).toEqual([]);
    expect(await total(store)).toEqual({ generations: 2, succeeded: 1, failed: 1 });
  });

  test('sums group by day, kind, model and collection, and filter by them, for their owner only', async () => {
    const store = await open();
    const songs = { kind: 'SONG', model: undefined, collection: 'trip "1"' };
    await record(store, { createdAt: dayMs - 1 });
    await record(store, { createdAt: dayMs, usage: { totalTokens: 2 } });
    await record(store, { createdAt: dayMs, model: 'n', collection: '*', usage: { totalTokens: 3 } });
    await record(store, { createdAt: 2 * dayMs, ...songs });
    await record(store, { createdAt: 9 * dayMs, ...songs, status: 'FAILED' });
    await record(store, { owner: other });
    const done = { generations: 1, succeeded: 1 };
    expect(await sum(store, { groupBy: ['DAY'] })).toEqual([
      { day: 0, ...done },
      { day: 1, generations: 2, succeeded: 2, withUsage: 2, totalTokens: 5 },
      { day: 2, ...done },
      { day: 9, generations: 1, failed: 1 },
    ]);
    expect(await sum(store, { groupBy: ['KIND', 'KIND', 'MODEL'] })).toEqual([
      { kind: 'CHAT', model: 'm', generations: 2, succeeded: 2, withUsage: 1, totalTokens: 2 },
      { kind: 'CHAT', model: 'n', ...done, withUsage: 1, totalTokens: 3 },
      { kind: 'SONG', generations: 2, succeeded: 1, failed: 1 },
    ]);
    const grouped = await sum(store, { groupBy: ['COLLECTION'], fromDay: 1, toDay: 2 });
    expect(grouped).toEqual([
      { ...done, withUsage: 1, totalTokens: 2 },
      { collection: '*', ...done, withUsage: 1, totalTokens: 3 },
      { collection: 'trip "1"', ...done },
    ]);
    expect(await sum(store, { models: ['m', 'none'], kinds: ['CHAT'], fromDay: 1 })).toEqual([
      { ...done, withUsage: 1, totalTokens: 2 },
    ]);
    expect(await sum(store, { collection: 'trip "1"' })).toEqual([
      { generations: 2, succeeded: 1, failed: 1 },
    ]);
    expect(await sum(store, { models: [] })).toEqual([{}]);
    expect(await sum(store, { models: [], groupBy: ['DAY'] })).toEqual([]);
    expect(await sum(store, {}, other)).toEqual([done]);
    expect(await sum(store, {}, 'nobody')).toEqual([{}]);
  });

  test('more totals than the limit are not returned', async () => {
    const store = await open();
    for (const [day, model] of ['a', 'b', 'a'].entries())
      await record(store, { createdAt: day * 6 * dayMs, model });
    expect(await sum(store, { groupBy: ['MODEL'], limit: 2 })).toHaveLength(2);
    expect(await store.sumUsage(owner, { ...all, groupBy: ['DAY'], limit: 2 })).toBeUndefined();
    expect(await store.sumUsage(owner, { ...all, groupBy: ['MODEL'], limit: 1 })).toBeUndefined();
  });

  test('sums beyond the limits of a day keep the model, then only the kind, by which creates are limited', async () => {
    const store = await open();
    // Visible when it is claimed, so it counts already.
    const start = async (members: Partial<Generation>): Promise<Generation> => {
      const generation = buildGeneration({ status: 'RUNNING', taskId: 'task_1', ...members });
      await store.claim(buildCreation(generation.id, { key: undefined }), generation);
      return generation;
    };
    await inBatches(900, (index) => start({ collection: `c${index}` }));
    const late = await start({ collection: 'late' });
    await inBatches(79, (index) => start({ model: `m${index}` }));
    const last = await start({ model: 'last' });
    for (const { id } of [late, last])
      await store.endGeneration(id, { status: 'SUCCEEDED', finishedAt: 5000, usage: { totalTokens: 1 } });
    const byModel = await sum(store, { groupBy: ['MODEL'] });
    expect(byModel).toHaveLength(81);
    expect(byModel).toContainEqual({
      model: 'm',
      generations: 901,
      succeeded: 1,
      withUsage: 1,
      totalTokens: 1,
    });
    expect(byModel.at(-1)).toEqual({
      generations: 1,
      succeeded: 1,
      withUsage: 1,
      totalTokens: 1,
      isOther: true,
    });
    const byCollection = await sum(store, { groupBy: ['COLLECTION'] });
    expect(byCollection).toHaveLength(901);
    expect(byCollection.at(-1)).toMatchObject({ generations: 81, succeeded: 2, isOther: true });
    await start({ kind: 'SONG', model: 'last' });
    const quota = { limits: { createsPerDay: { CHAT: 2000, SONG: 2000 } }, abandonment: noneAbandoned };
    expect(await store.measureLimits(owner, quota, 0)).toMatchObject([{ used: 981 }, { used: 1 }]);
    // Another day has its own limits.
    await start({ createdAt: dayMs, collection: 'late' });
    expect(await sum(store, { collection: 'late' })).toEqual([{ generations: 1 }]);
  });

  test('sums beyond the safe integers of JavaScript are exact', async () => {
    const store = await open();
    const tokens = 2 ** 53 - 1;
    for (let turn = 0; turn < 3; turn += 1) await record(store, { usage: { totalTokens: tokens } });
    const [{ totalTokens } = { totalTokens: 0 }] = (await store.sumUsage(owner, all)) ?? [];
    expect(totalTokens).toBe(3n * BigInt(tokens));
  });
}

/** Compares the sums of a store with those of its generations, also of deleted ones. */
export async function compareSums(store: Store, snapshots: readonly Generation[]): Promise<void> {
  const expected = new Map<string, Record<string, number>>();
  for (const { createdAt, kind, model, collection, isVisible, finishedAt, status, usage } of snapshots) {
    if (!isVisible) continue;
    const name = JSON.stringify([Math.floor(createdAt / dayMs), kind, model ?? null, collection ?? null]);
    const counts = expected.get(name) ?? {};
    const count = (member: string, amount: number) => (counts[member] = (counts[member] ?? 0) + amount);
    count('generations', 1);
    const hasEnd = finishedAt !== undefined && !['QUEUED', 'RUNNING'].includes(status);
    if (hasEnd) count(status.toLowerCase(), 1);
    if (usage) count('withUsage', 1);
    if (usage) count('totalTokens', usage.totalTokens ?? 0);
    expected.set(name, counts);
  }
  const totals = await sum(store, { groupBy: ['DAY', 'KIND', 'MODEL', 'COLLECTION'] });
  const found = totals.map(({ day, kind, model, collection, ...counts }) => [
    JSON.stringify([day, kind, model ?? null, collection ?? null]),
    counts,
  ]);
  expect(expected.size).toBeGreaterThan(5);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}
