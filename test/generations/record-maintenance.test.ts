import { describe, expect, onTestFinished, test } from 'vitest';
import { createExpiredBefore } from '../../src/generations/expired-before.ts';
import { createOrphanRecovery } from '../../src/generations/orphan-recovery.ts';
import {
  createRecordMaintenance,
  type RecordMaintenanceOptions,
} from '../../src/generations/record-maintenance.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Expiry, Store } from '../../src/store/store.ts';
import { createInbox } from '../support/inbox.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { sharingAlone } from '../support/sharing.ts';
import { buildCreation, buildGeneration, buildTask, noneAbandoned, owner, record } from '../store/support.ts';

const hour = 3_600_000;
const day = 24 * hour;
const sweepMs = 50_000;

async function open(options: Partial<RecordMaintenanceOptions> = {}) {
  const clock = createManualClock();
  const records = await createSqliteStore({ directory: ':memory:', clock });
  const swept = createInbox<number>();
  const errors = createInbox<string>();
  const expiries: Expiry[] = [];
  const store: Store = {
    ...records,
    async sweep(expiry) {
      expiries.push(expiry);
      const result = await records.sweep(expiry);
      swept.push(result.deleted);
      return result;
    },
  };
  const maintenance = createRecordMaintenance({
    store,
    recovery: createOrphanRecovery({ store, clock }),
    clock,
    keyMs: day,
    generationMs: 30 * day,
    abandonment: () => ({ canRead: (kind) => kind !== 'ANIMATION', followedAfter: 0 }),
    checkPolls: async () => {},
    onError: (_error, job) => errors.push(job),
    ...options,
  });
  onTestFinished(async () => {
    await maintenance.close();
    await records.close();
  });
  await maintenance.start();
  /** Advances the clock and waits until a sweep at the new time has finished and the next one is scheduled. */
  const advance = async (ms: number): Promise<void> => {
    for (const step of [ms, sweepMs]) {
      clock.advance(step);
      while (clock.pending(sweepMs) < 1) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { clock, store: records, maintenance, swept, expiries, errors, advance };
}

async function recordWithKey(store: Store, createdAt: number) {
  const generation = buildGeneration({ createdAt, finishedAt: createdAt, status: 'SUCCEEDED' });
  const creation = buildCreation(generation.id, { createdAt });
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED' });
  return generation;
}

test('records expire by whole milliseconds, as PostgreSQL stores them, although elapsed times have fractions', () => {
  const clock = createManualClock(1000);
  const expiredBefore = createExpiredBefore({ ...clock, elapsed: () => clock.elapsed() * 0.7 }, 100);
  clock.advance(1);
  expect(expiredBefore()).toBe(900);
});

describe('records', () => {
  test('outlive their key and are deleted after the retention period', async () => {
    const { clock, store, advance } = await open();
    const { id } = await recordWithKey(store, clock.now());
    await advance(day - 2 * sweepMs);
    expect(await store.findCreation(owner, 'client:k')).toBeDefined();
    await advance(sweepMs);
    expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
    expect((await store.findGenerations(owner, [id]))[0]?.id).toBe(id);
    await advance(30 * day);
    expect(await store.findGenerations(owner, [id])).toEqual([undefined]);
  });

  test('stay for their whole time, and no longer, if the clock is set forward', async () => {
    const { clock, store, advance } = await open();
    const { id } = await recordWithKey(store, clock.now());
    const holdsKey = async () => (await store.findCreation(owner, 'client:k')) !== undefined;
    const isKept = async () => (await store.findGenerations(owner, [id]))[0] !== undefined;
    clock.step(2 * day);
    await advance(hour);
    clock.step(50 * 365 * day);
    await advance(day - hour - 3 * sweepMs);
    expect(await holdsKey()).toBe(true);
    await advance(sweepMs);
    expect(await holdsKey()).toBe(false);
    expect(await isKept()).toBe(true);
    await advance(30 * day);
    expect(await isKept()).toBe(false);
    // Records from after the steps expire in their time again.
    await recordWithKey(store, clock.now());
    await advance(day);
    expect(await holdsKey()).toBe(false);
  });

  test('that were made while the clock was behind stay for their time after it was corrected', async () => {
    const { clock, store, advance } = await open();
    clock.step(-2 * day);
    await advance(sweepMs);
    await recordWithKey(store, clock.now());
    clock.step(2 * day);
    await advance(hour);
    expect(await store.findCreation(owner, 'client:k')).toBeDefined();
    await advance(day);
    expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
  });

  test('of changes are kept for seven days', async () => {
    const { clock, expiries, advance } = await open();
    await advance(8 * day);
    expect(expiries.at(-1)?.changesBefore).toBe(clock.now() - 7 * day);
  });

  test('are kept forever by default, except keys', async () => {
    const { clock, store, advance } = await open({ generationMs: undefined });
    const { id } = await recordWithKey(store, clock.now());
    await store.saveTask(buildTask({ updatedAt: clock.now() }));
    await advance(5000 * day);
    expect((await store.findGenerations(owner, [id]))[0]?.id).toBe(id);
    expect(await store.findTasks(owner, ['task_1'])).toMatchObject([{ id: 'task_1' }]);
    expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
  });

  test('are kept at least as long as their key', async () => {
    const { clock, store, advance } = await open({ generationMs: hour });
    const { id } = await recordWithKey(store, clock.now());
    await advance(day - 2 * sweepMs);
    expect((await store.findGenerations(owner, [id]))[0]?.id).toBe(id);
  });

  test('of running work are kept at any age, except kinds whose end cannot be read', async () => {
    const { clock, store, advance } = await open();
    const createdAt = clock.now();
    const running = { createdAt, finishedAt: undefined, status: 'RUNNING' } as const;
    const chat = await record(store, running);
    const song = await record(store, { ...running, kind: 'SONG', taskId: 'task_1', openTask: {} });
    const animation = await record(store, { ...running, kind: 'ANIMATION', taskId: 'task_2', openTask: {} });
    await advance(365 * day);
    expect(await store.findGenerations(owner, [chat.id, song.id, animation.id])).toMatchObject([
      { id: chat.id },
      { id: song.id },
      undefined,
    ]);
  });

  test('are deleted in batches', async () => {
    const { clock, store, advance, swept } = await open();
    for (let index = 0; index < 450; index += 1) await record(store, { finishedAt: clock.now() });
    await advance(31 * day);
    // The two changes of each record have expired too: its create and its end.
    expect(swept.all.filter((count) => count > 0)).toEqual([200, 200, 200, 200, 200, 200, 150]);
  });
});

describe('record maintenance', () => {
  test('renews the lease of shared records before it expires and continues after a failure', async () => {
    const renewed = createInbox<number>();
    let isFailing = true;
    const { clock, store } = await open();
    const errors = createInbox<string>();
    const maintenance = createRecordMaintenance({
      store: {
        ...store,
        sharing: sharingAlone(async () => {
          renewed.push(clock.now());
          if (isFailing) throw new Error('disk full');
        }),
      },
      recovery: createOrphanRecovery({ store, clock }),
      clock,
      keyMs: day,
      generationMs: undefined,
      abandonment: () => noneAbandoned,
      checkPolls: async () => {},
      onError: (_error, job) => errors.push(job),
    });
    await maintenance.start();
    clock.advance(9000);
    await errors.at(0);
    isFailing = false;
    await clock.waitForTimer(9000);
    clock.advance(9000);
    await renewed.at(1);
    expect(errors.all).toEqual(['renewing the lease']);
    await maintenance.close();
  });

  test('of records that are not shared recovers the work of earlier instances once, and renews nothing', async () => {
    const { clock, store } = await open();
    const left = await record(store, { finishedAt: undefined, status: 'RUNNING' });
    const orphan = { type: 'generation', id: left.id, owner } as const;
    const searches = createInbox<number>();
    const errors = createInbox<string>();
    let failures = 1;
    let isSettled = false;
    const recovering: Store = {
      ...store,
      async findOrphans() {
        searches.push(clock.now());
        return isSettled ? [] : [orphan];
      },
      async recover() {
        failures -= 1;
        if (failures >= 0) throw new Error('disk full');
        isSettled = true;
        return [];
      },
    };
    const maintenance = createRecordMaintenance({
      store: recovering,
      recovery: createOrphanRecovery({ store: recovering, clock }),
      clock,
      keyMs: day,
      generationMs: undefined,
      abandonment: () => noneAbandoned,
      onError: (_error, job) => errors.push(job),
    });
    await maintenance.start();
    expect(await errors.at(0)).toBe('recovering');
    for (let search = 1; search <= 2; search += 1) {
      await clock.waitForTimer(3000);
      clock.advance(3000);
      await searches.at(search);
    }
    expect(isSettled).toBe(true);
    // Only the sweep is left.
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(30_000);
    expect(searches.all).toHaveLength(3);
    await maintenance.close();
  });
});
