import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countRecorded } from '../../src/store/sql/migrations/count-recorded.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { addEmptyTables, emptyTables } from '../support/empty-tables.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { creationConformance } from './creations.conformance.ts';
import { storeConformance } from './store.conformance.ts';
import { buildCreation, buildGeneration, owner, record, recoverAll, type StoreLocation } from './support.ts';

function locationAt(directory: string): StoreLocation {
  return {
    async open(options) {
      const store = await createSqliteStore({ directory, emptyTables: await emptyTables(), ...options });
      onTestFinished(() => store.close());
      return store;
    },
  };
}

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gengraph-store-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

describe('SQLite in a file', () => {
  storeConformance({
    isShared: false,
    async createLocation() {
      const directory = await createDirectory();
      await addEmptyTables(directory);
      return locationAt(directory);
    },
  });
});

// Reads use the connection of writes, which is the only difference.
describe('SQLite in memory', () => {
  creationConformance({ isShared: false, createLocation: async () => locationAt(':memory:') });
});

test('the unfinished work of an earlier process is orphaned at once, and needs no lease, lock file or poll lease', async () => {
  const directory = await createDirectory();
  const clock = createManualClock();
  const earlier = await createSqliteStore({ directory, clock });
  onTestFinished(() => earlier.close());
  const sent = buildGeneration({ isVisible: false });
  const creation = buildCreation(sent.id);
  await earlier.claim(creation, sent);
  const running = await record(earlier, { finishedAt: undefined, status: 'RUNNING' });
  expect(await earlier.findOrphans()).toEqual([]);
  const store = await createSqliteStore({ directory, clock });
  onTestFinished(() => store.close());
  const duplicate = buildGeneration();
  expect(await store.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ id: creation.id });
  expect(await recoverAll(store)).toMatchObject([
    { id: sent.id, status: 'UNKNOWN' },
    { id: running.id, error: { code: 'INTERRUPTED' } },
  ]);
  expect(await store.findOrphans()).toEqual([]);
  expect(store.sharing).toBeUndefined();
  await store.isReady();
  expect((await readdir(directory)).toSorted()).toEqual([
    'gengraph.db',
    'gengraph.db-shm',
    'gengraph.db-wal',
  ]);
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => database.close());
  for (const table of ['instances', 'poll_leases', 'polled_tasks'])
    expect(database.prepare(`select count(*) as count from ${table}`).get()).toEqual({ count: 0 });
});

test('the outcome of a create that an earlier version had claimed, but not marked as sent, is unknown', async () => {
  const directory = await createDirectory();
  const clock = createManualClock();
  const earlier = await createSqliteStore({ directory, clock });
  const generation = buildGeneration({ isVisible: false });
  await earlier.claim(buildCreation(generation.id), generation);
  await earlier.close();
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  database.exec("update creations set phase = 'CLAIMED'");
  database.close();
  const store = await createSqliteStore({ directory, clock });
  onTestFinished(() => store.close());
  expect(await recoverAll(store)).toMatchObject([{ id: generation.id, status: 'UNKNOWN' }]);
  expect(await store.findCreation(owner, 'client:k')).toMatchObject({ phase: 'UNKNOWN' });
});

test('records of a newer version are rejected and left unchanged', async () => {
  const directory = await createDirectory();
  const clock = createManualClock();
  await (await createSqliteStore({ directory, clock })).close();
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => database.close());
  database.exec("insert into kysely_migration values ('0002-future', '2030-01-01T00:00:00.000Z')");
  await expect(createSqliteStore({ directory, clock })).rejects.toThrow(
    /^the records were written by a newer version of Gengraph \(unknown migrations: 0002-future\)/,
  );
});

test('a store that cannot be written is not ready; the answer is cached for a few seconds', async () => {
  const directory = await createDirectory();
  const clock = createManualClock();
  const store = await createSqliteStore({ directory, clock });
  onTestFinished(() => store.close());
  const path = join(directory, 'gengraph.db');
  expect(await store.isReady()).toBe(true);
  await rename(path, `${path}-away`);
  clock.advance(2999);
  expect(await store.isReady()).toBe(true);
  clock.advance(1);
  expect(await store.isReady()).toBe(false);
  await rename(`${path}-away`, path);
  clock.advance(3000);
  expect(await store.isReady()).toBe(true);
  const tool = new DatabaseSync(path);
  onTestFinished(() => tool.close());
  tool.exec('begin immediate');
  clock.advance(3000);
  const ready = store.isReady();
  // The probe has its time, on this clock.
  clock.advance(800);
  expect(await ready).toBe(false);
  tool.exec('rollback');
});

test('the migration adds records from before the sums of usage to them', async () => {
  const directory = await createDirectory();
  const store = await createSqliteStore({ directory, clock: createManualClock() });
  onTestFinished(() => store.close());
  await record(store, { usage: { totalTokens: 3 } });
  await record(store, { status: 'FAILED', usage: { totalTokens: 4 } });
  await record(store, { isVisible: false });
  const sum = () => store.sumUsage(owner, { fromDay: 0, toDay: 0, groupBy: [], limit: 1 });
  const before = await sum();
  expect(before).toMatchObject([{ generations: 2n, succeeded: 1n, failed: 1n, totalTokens: 7n }]);
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) });
  onTestFinished(() => db.destroy());
  await db.deleteFrom('usage_days').execute();
  await countRecorded(db);
  expect(await sum()).toEqual(before);
});
