import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { randomId } from '../../lib/ids.ts';
import { migrate } from '../sql/migrations.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import type { Tables } from '../sql/tables.ts';
import type { Store } from '../store.ts';
import { prepareDataFile } from './data-directory.ts';
import { acquireInstanceLock, type InstanceLock, isLockFree } from './instance-lock.ts';
import { createSqliteDialect, retryWhileBusy } from './sqlite-dialect.ts';

/** Value of `directory` for an in-memory store. */
export const inMemory = ':memory:';

export interface SqliteStoreOptions {
  /** Data directory, created if missing, or `:memory:`. */
  readonly directory: string;
  readonly clock: Clock;
  /** An instance that does not renew its lease within this time is considered dead. @default 30000 */
  readonly leaseMs?: number;
}

/**
 * SQLite store in one file. Completed writes survive a crash of the process. A power failure may lose the most recent
 * writes, except `markSending`.
 * @throws if the directory or file cannot be used
 */
export async function createSqliteStore({
  directory,
  clock,
  leaseMs = 30_000,
}: SqliteStoreOptions): Promise<Store> {
  const instanceId = randomId('instance');
  const isPersistent = directory !== inMemory;
  const path = isPersistent ? prepareDataFile(directory) : inMemory;
  // Servers that start concurrently on a new file contend for its lock here.
  const db = await retryWhileBusy(() => openDatabase(path));
  let lock: InstanceLock | undefined;
  try {
    await migrate(db);
    lock = isPersistent ? acquireInstanceLock(directory, instanceId) : undefined;
    const store = createSqlStore({
      db,
      clock,
      instanceId,
      leaseMs,
      isInstanceDead: (id) => isPersistent && isLockFree(directory, id),
      writeDurably: (write) => writeDurably(db, write),
    });
    await store.renewLease();
    return {
      ...store,
      async close() {
        await store.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    await db.destroy();
    throw error;
  }
}

function openDatabase(path: string): Kysely<Tables> {
  const database = new DatabaseSync(path);
  try {
    // In WAL mode readers and the writer do not block each other, and a commit is one append.
    database.exec('pragma journal_mode = wal');
    // Commits reach the operating system. They survive a crash of the process but not a power failure.
    database.exec('pragma synchronous = normal');
    return new Kysely<Tables>({ dialect: createSqliteDialect(database) });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Syncs the write, and all commits before it, to disk. */
async function writeDurably<Result>(
  db: Kysely<Tables>,
  write: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = full`.execute(connection);
    try {
      return await write(connection);
    } finally {
      await sql`pragma synchronous = normal`.execute(connection);
    }
  });
}
