import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { SqlStoreOptions } from '../sql/sql-store.ts';
import type { Tables } from '../sql/basics/tables.ts';
import type { ReadVersion } from '../sql/tasks/task-cache.ts';
import type { Clock } from '../../lib/clock.ts';
import { createCheckpoints } from './checkpoints.ts';
import { readFreeBytes } from './data-directory.ts';
import { createLockWait, type LockWait, retryWhileBusy } from './lock-wait.ts';
import { createLogSync } from './log-sync.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { createSqliteWrites, type SqliteWrites } from './sqlite-writes.ts';

/** Path of an in-memory database. */
export const inMemory = ':memory:';

export interface Connections extends Pick<
  SqlStoreOptions,
  'reader' | 'writes' | 'readVersion' | 'probeWrite' | 'close'
> {
  readonly writer: Kysely<Tables>;
}

export interface ConnectionsOptions {
  /** Of the database, or `:memory:`. */
  readonly path: string;
  readonly clock: Clock;
  /** How long writes wait for other processes. */
  readonly lockWait: LockWait;
  /** An image of tables without records, for a database in memory. */
  readonly emptyTables?: Uint8Array | undefined;
  /** Free space of the disk. @default as the system reports it */
  readonly freeBytes?: (() => Promise<number>) | undefined;
}

/**
 * Opens a connection for writes and one for reads, because a write may wait for the lock of another process, and reads never
 * need it. An in-memory database has only one connection.
 */
export async function openConnections({
  path,
  clock,
  lockWait,
  emptyTables,
  freeBytes = () => readFreeBytes(dirname(path)),
}: ConnectionsOptions): Promise<Connections> {
  // Servers that start concurrently on a new file contend for its lock here.
  const database = await retryWhileBusy(() => openForWrites(path), lockWait.createDeadline());
  const writer = new Kysely<Tables>({ dialect: createSqliteDialect(database, lockWait) });
  const write = { database, writer, lockWait };
  if (path === inMemory) {
    if (emptyTables) database.deserialize(emptyTables);
    const writes = createSqliteWrites(write);
    return { ...partsOf(database, writes), writer, reader: writer, close: () => close(writer, database) };
  }
  const writes = createSqliteWrites({
    ...write,
    log: {
      sync: () => log.sync(),
      waitUntilIdle: () => log.waitUntilIdle(),
      onWritten: () => checkpoints.onWritten(),
    },
  });
  const checkpoints = createCheckpoints({ path, clock, pause: writes.pause, freeBytes });
  const log = await createLogSync(path, checkpoints.restart);
  const reads = openForReads(path);
  const reader = new Kysely<Tables>({ dialect: createSqliteDialect(reads, createLockWait()) });
  return {
    ...partsOf(database, writes),
    writer,
    reader,
    async close() {
      await log.close();
      await checkpoints.close();
      await close(reader, reads);
      // The last connection to close moves the log into the file.
      await close(writer, database);
    },
  };
}

function partsOf(
  database: DatabaseSync,
  writes: SqliteWrites,
): Pick<Connections, 'writes' | 'probeWrite' | 'readVersion'> {
  let probes = 0;
  return {
    writes,
    async probeWrite() {
      // Only a value that changes is written.
      probes = (probes + 1) % 1_000_000;
      await writes.statement((db) => sql`pragma user_version = ${sql.lit(probes)}`.execute(db));
    },
    // SQLite changes it for commits of other connections only, and all writes of this instance use this connection.
    readVersion: createReadVersion(database),
  };
}

function openForWrites(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // In WAL mode readers and the writer do not block each other, and a commit is one append.
    database.exec('pragma journal_mode = wal');
    // A commit reaches the operating system, and survives a crash of the process. A sync follows where a power failure must not
    // undo it.
    database.exec('pragma synchronous = normal');
    // Statements that can fail half-way note the pages that they change, in temporary files otherwise.
    database.exec('pragma temp_store = memory');
    // Checkpoints run in a thread of their own.
    database.exec('pragma wal_autocheckpoint = 0');
    // The first read creates the log.
    database.exec('pragma user_version');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Uses a file that exists, also one that servers use. */
export async function useOnce<Result>(
  path: string,
  use: (db: Kysely<Tables>) => Promise<Result>,
  { writes }: { readonly writes: boolean },
): Promise<Result> {
  const database = writes ? openForWrites(path) : openForReads(path);
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database, createLockWait()) });
  try {
    return await use(db);
  } finally {
    await close(db, database);
  }
}

function openForReads(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  // A connection opened as read-only could not recover the log after a crash.
  database.exec('pragma query_only = on');
  return database;
}

/** Kysely does not close a connection that it never used. */
async function close(db: Kysely<Tables>, database: DatabaseSync): Promise<void> {
  await db.destroy();
  if (database.isOpen) database.close();
}

function createReadVersion(database: DatabaseSync): ReadVersion {
  const statement = database.prepare('pragma data_version');
  return () => {
    try {
      return Number(statement.get()?.['data_version']);
    } catch {
      // Reads of the records report the problem.
      return undefined;
    }
  };
}
