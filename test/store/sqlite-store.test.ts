import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
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
