import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeConformance } from './store.conformance.ts';
import type { Place } from './support.ts';

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
