import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from '../sql/tables.ts';
import type { Write, Writes } from '../sql/writes.ts';
import type { LockWait } from './lock-wait.ts';

/** Writes over the only write connection, whose statements wait as `lockWait` says. */
export function createSqliteWrites(db: Kysely<Tables>, lockWait: LockWait): Writes {
  const { createDeadline } = lockWait;
  const use = <Result>(write: Write<Result>, deadline = createDeadline()): Promise<Result> =>
    db.connection().execute(async (connection) => {
      lockWait.deadline = deadline;
      try {
        return await write(connection);
      } finally {
        lockWait.deadline = undefined;
      }
    });
  return {
    transaction: (write, deadline) => use((connection) => connection.transaction().execute(write), deadline),
    statement: (write) => use(write),
    durable: (write, deadline) => use((connection) => syncToDisk(connection, write), deadline),
    createDeadline,
  };
}

/** Syncs the write, and all commits before it, to disk. */
async function syncToDisk<Result>(connection: Kysely<Tables>, write: Write<Result>): Promise<Result> {
  await connection.executeQuery(CompiledQuery.raw('pragma synchronous = full'));
  try {
    return await write(connection);
  } finally {
    await connection.executeQuery(CompiledQuery.raw('pragma synchronous = normal'));
  }
}
