import type { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from '../sql/basics/tables.ts';
import type { Write, Writes } from '../sql/basics/database.ts';
import type { LockWait } from './lock-wait.ts';

export interface SqliteWritesOptions {
  readonly database: DatabaseSync;
  /** Gives its users turns on the connection. */
  readonly writer: Kysely<Tables>;
  /** How long the statements wait for other processes. */
  readonly lockWait: LockWait;
}

/** Writes over the only write connection. */
export function createSqliteWrites({ database, writer, lockWait }: SqliteWritesOptions): Writes {
  const { createDeadline } = lockWait;
  const use = <Result>(write: Write<Result>, deadline = createDeadline()): Promise<Result> =>
    writer.connection().execute(async (db) => {
      lockWait.deadline = deadline;
      try {
        return await write(db);
      } finally {
        lockWait.deadline = undefined;
      }
    });
  return {
    transaction: (write, deadline) => use((db) => runTransaction(database, db, write), deadline),
    statement: (write) => use(write),
    durable: (write, deadline) => use((db) => syncToDisk(db, write), deadline),
    createDeadline,
  };
}

async function runTransaction<Result>(
  database: DatabaseSync,
  db: Kysely<Tables>,
  write: Write<Result>,
): Promise<Result> {
  await run(db, 'begin immediate');
  try {
    const result = await write(db);
    await run(db, 'commit');
    return result;
  } catch (error) {
    // Some failures roll back by themselves.
    if (database.isTransaction) await run(db, 'rollback');
    throw error;
  }
}

/** Syncs the write, and all commits before it, to disk. */
async function syncToDisk<Result>(db: Kysely<Tables>, write: Write<Result>): Promise<Result> {
  await run(db, 'pragma synchronous = full');
  try {
    return await write(db);
  } finally {
    await run(db, 'pragma synchronous = normal');
  }
}

function run(db: Kysely<Tables>, text: string): Promise<unknown> {
  return db.executeQuery(CompiledQuery.raw(text));
}
