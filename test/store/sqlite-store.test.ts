import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countRecorded } from '../../src/store/sql/migrations/count-recorded.ts';
import type { Tables } from '../../src/store/sql/shared/tables.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeConformance } from './store.conformance.ts';
import { buildCreation, buildGeneration, owner, record, type StoreLocation } from './support.ts';

function locationAt(directory: string): StoreLocation {
  return {
    async open(options) {
      const store = await createSqliteStore({ directory, ...options });
      onTestFinished(() => store.close());
      return store;
    },
    unlock: ({ instanceId }) => rm(join(directory, `${instanceId}.lock`)),
  };
}

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gengraph-store-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

describe('SQLite in a file', () => {
  storeConformance({
    isShared: true,
    hasLocks: true,
    createLocation: async () => locationAt(await createDirectory()),
  });
});

describe('SQLite in memory', () => {
  storeConformance({ isShared: false, hasLocks: false, createLocation: async () => locationAt(':memory:') });
});

test('a claim is taken over immediately if the lock of its instance is free, even with a valid lease', async () => {
  const directory = await createDirectory();
  const store = await createSqliteStore({ directory, clock: createManualClock() });
  onTestFinished(() => store.close());
  const [mine, duplicate] = [buildGeneration(), buildGeneration()];
  await store.claim(buildCreation(mine.id), mine);
  await writeFile(join(directory, 'instance_killed.lock'), '');
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => database.close());
  database.exec("insert into instances (id, expires_at) values ('instance_killed', 9e15)");
  database.exec("update creations set instance_id = 'instance_killed'");
  expect(await store.claim(buildCreation(duplicate.id), duplicate)).toBeUndefined();
  expect(await store.findGenerations(owner, [mine.id])).toEqual([undefined]);
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
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => database.close());
  expect(await store.isReady()).toBe(true);
  database.exec(
    "create trigger full before update on instances begin select raise(abort, 'simulated full disk'); end",
  );
  clock.advance(2999);
  expect(await store.isReady()).toBe(true);
  clock.advance(1);
  expect(await store.isReady()).toBe(false);
  database.exec('drop trigger full');
  clock.advance(3000);
  expect(await store.isReady()).toBe(true);
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
