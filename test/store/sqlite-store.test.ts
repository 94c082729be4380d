import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeConformance } from './store.conformance.ts';
import { aCreation, aGeneration, owner, type Place } from './support.ts';

function placeAt(directory: string): Place {
  return {
    async open(options) {
      const store = await createSqliteStore({ directory, ...options });
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
  storeConformance({ isShared: true, createPlace: async () => placeAt(await createDirectory()) });
});

describe('SQLite in memory', () => {
  storeConformance({ isShared: false, createPlace: async () => placeAt(':memory:') });
});

test('a claim is taken over at once where the lock of its instance is free, whatever its lease says', async () => {
  const directory = await createDirectory();
  const store = await createSqliteStore({ directory, clock: createManualClock() });
  onTestFinished(() => store.close());
  const [mine, twin] = [aGeneration(), aGeneration()];
  await store.claim(aCreation(mine.id), mine);
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => database.close());
  database.exec("insert into instances values ('instance_killed', 9e15)");
  database.exec("update creations set instance_id = 'instance_killed'");
  expect(await store.claim(aCreation(twin.id), twin)).toBeUndefined();
  expect(await store.findGenerations(owner, [mine.id])).toEqual([undefined]);
});

test('records that a newer version wrote are left alone, and said to be that', async () => {
  const directory = await createDirectory();
  const clock = createManualClock();
  await (await createSqliteStore({ directory, clock })).close();
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => database.close());
  database.exec("insert into kysely_migration values ('0002-future', '2030-01-01T00:00:00.000Z')");
  await expect(createSqliteStore({ directory, clock })).rejects.toThrow(
    /^the records were written by a newer Gengraph \(this one does not know 0002-future\)/,
  );
});

test('a store that can be read but not written is not ready, which it finds out every few seconds', async () => {
  const directory = await createDirectory();
  const clock = createManualClock();
  const store = await createSqliteStore({ directory, clock });
  onTestFinished(() => store.close());
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => database.close());
  expect(await store.isReady()).toBe(true);
  database.exec(
    "create trigger full before update on instances begin select raise(abort, 'as if the disk were full'); end",
  );
  clock.advance(2999);
  expect(await store.isReady()).toBe(true);
  clock.advance(1);
  expect(await store.isReady()).toBe(false);
  database.exec('drop trigger full');
  clock.advance(3000);
  expect(await store.isReady()).toBe(true);
});
