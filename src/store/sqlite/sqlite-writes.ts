import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Tables } from '../sql/shared/tables.ts';
import type { Write, Writes } from '../sql/shared/database.ts';
import type { LockWait } from './lock-wait.ts';
import { createHeldConnection, type HeldConnection } from './sqlite-dialect.ts';

export interface SqliteWritesOptions {
  readonly database: DatabaseSync;
  /** Gives its users turns on the connection. */
  readonly writer: Kysely<Tables>;
  /** How long the statements wait for other processes. */
  readonly lockWait: LockWait;
}

/** Writes over the only write connection. */
export function createSqliteWrites({ database, writer, lockWait }: SqliteWritesOptions): Writes {
  const connection = createHeldConnection(database, lockWait);
  const db = new Kysely<Tables>({ dialect: connection.dialect });
  const held: Held = { database, connection, db };
  const { createDeadline } = lockWait;
  const use = <Result>(write: () => Promise<Result>, deadline = createDeadline()): Promise<Result> =>
    writer.getExecutor().provideConnection(async () => {
      lockWait.deadline = deadline;
      try {
        return await write();
      } finally {
        lockWait.deadline = undefined;
      }
    });
  return {
    transaction: (write, deadline) => use(() => runTransaction(held, write), deadline),
    statement: (write) => use(() => write(db)),
    durable: (write, deadline) => use(() => syncToDisk(held, write), deadline),
    createDeadline,
  };
}

/** The connection during a write. */
interface Held {
  readonly database: DatabaseSync;
  readonly connection: HeldConnection;
  readonly db: Kysely<Tables>;
}

async function runTransaction<Result>(
  { database, connection, db }: Held,
  write: Write<Result>,
): Promise<Result> {
  await connection.run('begin immediate');
  try {
    const result = await write(db);
    await connection.run('commit');
    return result;
  } catch (error) {
    // Some failures roll back by themselves.
    if (database.isTransaction) await connection.run('rollback');
    throw error;
  }
}

/** Syncs the write, and all commits before it, to disk. */
async function syncToDisk<Result>({ connection, db }: Held, write: Write<Result>): Promise<Result> {
  await connection.run('pragma synchronous = full');
  try {
    return await write(db);
  } finally {
    await connection.run('pragma synchronous = normal');
  }
}
