import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { randomId } from '../../lib/ids.ts';
import { migrate } from '../sql/migrations.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import type { Tables } from '../sql/tables.ts';
import type { Store } from '../store.ts';
import { prepareDataFile } from './data-directory.ts';
import { holdInstanceLock, type InstanceLock, isLockFree } from './instance-lock.ts';
import { createSqliteDialect, whenFree } from './sqlite-dialect.ts';

/** In place of a directory: records that end with the process. */
export const inMemory = ':memory:';

export interface SqliteStoreOptions {
  /** Made where it is missing, for this user only; or `:memory:`. */
  readonly directory: string;
  readonly clock: Clock;
  /** An instance that has not renewed its lease for this long counts as dead. @default 30000 */
  readonly leaseMs?: number;
}

/**
 * Records in one file of a directory. Whatever a method has returned from survives the end of the process, however it
 * ends. The loss of power may take the last moments with it, but never the mark that a create is being sent.
 * @throws whatever keeps the directory or file from being used
 */
export async function createSqliteStore({
  directory,
  clock,
  leaseMs = 30_000,
}: SqliteStoreOptions): Promise<Store> {
  const instanceId = randomId('instance');
  const isKept = directory !== inMemory;
  const path = isKept ? prepareDataFile(directory) : inMemory;
  // Servers that start at once on a new file wait for each other here too.
  const db = await whenFree(() => openDatabase(path));
  let lock: InstanceLock | undefined;
  try {
    await migrate(db);
    lock = isKept ? holdInstanceLock(directory, instanceId) : undefined;
    const store = createSqlStore({
      db,
      clock,
      instanceId,
      leaseMs,
      isGone: (id) => isKept && isLockFree(directory, id),
      durably: (write) => durably(db, write),
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
    // Readers and the writer do not wait for each other, and a commit is one append.
    database.exec('pragma journal_mode = wal');
    // A commit is in the system's hands, which is enough unless the power goes.
    database.exec('pragma synchronous = normal');
    return new Kysely<Tables>({ dialect: createSqliteDialect(database) });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** On the disk itself, and with it everything committed before. */
async function durably<Result>(
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
