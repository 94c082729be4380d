import { sql } from 'kysely';
import { describe, onTestFinished } from 'vitest';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { reuseDatabases } from '../support/postgres.ts';
import { recycleSessions } from '../support/recycled-sessions.ts';
import { storeConformance } from './store.conformance.ts';
import type { StoreLocation } from './support.ts';

function locationAt(url: string, createPool: ReturnType<typeof recycleSessions>): StoreLocation {
  return {
    async open({ clock, leaseMs, recordLimits }) {
      const store = await createPostgresStore({
        url,
        clock,
        leaseClock: (now = clock.now()) => sql<number>`${now}::bigint`,
        leaseTimer: clock.elapsed,
        minuteClock: 'instance',
        poolSize: 5,
        createPool,
        recordLimits,
        ...(leaseMs !== undefined && { leaseMs }),
      });
      onTestFinished(() => store.close());
      return store;
    },
  };
}

describe('PostgreSQL', () => {
  const lendDatabase = reuseDatabases();
  const createPool = recycleSessions();
  storeConformance({
    isShared: true,
    createLocation: async () => locationAt(await lendDatabase(), createPool),
  });
});
