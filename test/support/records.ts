import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { isBusy } from '../../src/store/sqlite/result-codes.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createDirectory } from './durable-server.ts';
import { addEmptyTables } from './empty-tables.ts';
import { connectTo, createDatabase, createEmptyDatabase } from './postgres.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];
/** The engines whose records several servers can share. */
export const sharedEngines = ['PostgreSQL'] as const;

/** Records that outlive the servers that use them. */
export interface Records {
  /** Settings of a server that uses them. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a statement past the servers. */
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Opens them as one more instance, which the caller closes. */
  openStore(): Promise<Store>;
  /**
   * Lets the leases of dead servers expire. Call while no server runs. SQLite needs no leases: locks prove which server is
   * alive.
   */
  expireLeases(): Promise<void>;
}

/** Records without tables: the first start creates them. */
export async function createRecordsWithoutTables(engine: Engine): Promise<Records> {
  return engine === 'SQLite'
    ? openFileRecords(await createDirectory())
    : openDatabaseRecords(await createEmptyDatabase());
}

/** Records with empty tables. */
export async function createRecords(engine: Engine): Promise<Records> {
  if (engine === 'PostgreSQL') return createDatabaseRecords();
  const directory = await createDirectory();
  await addEmptyTables(directory);
  return openFileRecords(directory);
}

function openFileRecords(directory: string): Records {
  return {
    env: { DATA_DIR: directory },
    openStore: () => createSqliteStore({ directory, clock: createSystemClock() }),
    async query(statement) {
      const database = new DatabaseSync(join(directory, 'gengraph.db'));
      try {
        for (const limit = performance.now() + 30_000; ;) {
          try {
            return database.prepare(statement).all();
          } catch (error) {
            if (!isBusy(error) || performance.now() > limit) throw error;
          }
          // A server of this process may hold the lock across several turns.
          await setImmediate();
        }
      } finally {
        database.close();
      }
    },
    async expireLeases() {},
  };
}

export async function createDatabaseRecords(): Promise<Records> {
  return openDatabaseRecords(await createDatabase());
}

async function openDatabaseRecords(url: string): Promise<Records> {
  const client = await connectTo(url);
  const query: Records['query'] = async (statement) => (await client.query(statement)).rows;
  return {
    env: { DATABASE_URL: url },
    query,
    openStore: () => createPostgresStore({ url, clock: createSystemClock() }),
    async expireLeases() {
      await query('delete from instances');
    },
  };
}
