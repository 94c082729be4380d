import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import { RecordsUnavailableError } from '../../errors.ts';
import { beforeDeadline } from '../../lib/before-deadline.ts';
import { outcomeOf } from '../../lib/once.ts';
import type { Tables } from '../sql/basics/tables.ts';
import type { Write, Writes } from '../sql/basics/database.ts';
import type { Deadline } from '../store.ts';
import { isConflict, isNameError } from './postgres-errors.ts';

export interface PostgresWritesOptions {
  /** Longest time of a write, with its wait for a connection and for the locks of others. */
  readonly timeoutMs: number;
  readonly random: () => number;
}

/** A transaction that concurrent ones keep aborting fails after this many attempts. */
const maxAttempts = 8;

/**
 * Writes over a connection pool. Transactions read committed rows and lock those that they change (`forUpdate`). A
 * transaction that the database rolled back because of a conflict (a deadlock) or a name runs again. A lost connection is never
 * retried here: whether the commit happened is unknown then, and only the caller knows if a repetition is safe.
 */
export function createPostgresWrites(
  db: Kysely<Tables>,
  { timeoutMs, random }: PostgresWritesOptions,
): Writes {
  const createDeadline = (): Deadline => performance.now() + timeoutMs;
  const attempt = async <Result>(run: () => Promise<Result>, deadline: Deadline): Promise<Result> => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await run();
      } catch (error) {
        const delayMs = random() * 10 * attempts;
        const isLate = performance.now() + delayMs >= deadline;
        if (!(isConflict(error) || isNameError(error)) || attempts >= maxAttempts || isLate) throw error;
        await setTimeout(delayMs);
      }
    }
  };
  /** The writes of one request share a deadline, which includes their waits for connections. */
  const bounded = async <Result>(
    run: (deadline: Deadline) => Promise<Result>,
    deadline?: Deadline,
  ): Promise<Result> => {
    if (deadline === undefined) return run(createDeadline());
    serverTimeOf(deadline);
    const outcome = await beforeDeadline(outcomeOf(run(deadline)), deadline);
    if (!outcome) throw new RecordsUnavailableError('The record store is unavailable: a write took too long');
    return outcome();
  };
  return {
    transaction: (write, given) =>
      bounded((deadline) => attempt(() => runTransaction(db, write, deadline), deadline), given),
    statement: (write, given) => bounded((deadline) => attempt(() => write(db), deadline), given),
    // Every commit is synced to disk: the store refuses to start if `synchronous_commit` is off.
    sync: async () => {},
    createDeadline,
  };
}

/**
 * Time for a statement on the server. It ends before the deadline, so that the server keeps the connection and says why.
 * @throws RecordsUnavailableError if no time is left
 */
export function serverTimeOf(deadline: Deadline): number {
  const remainingMs = deadline - performance.now();
  if (remainingMs < 1)
    throw new RecordsUnavailableError(
      'The record store is unavailable: the wait for a connection took too long',
    );
  return Math.ceil(remainingMs - Math.min(1000, remainingMs / 10));
}

function runTransaction<Result>(
  db: Kysely<Tables>,
  write: Write<Result>,
  deadline: Deadline,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    const run = (text: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(text));
    const remainingMs = serverTimeOf(deadline);
    // One round trip. The limits hold for this transaction only, also through a pooler.
    await run(
      `begin; set local statement_timeout = ${remainingMs}; set local idle_in_transaction_session_timeout = ${remainingMs}`,
    );
    let result: Result;
    try {
      result = await write(connection);
    } catch (error) {
      // A connection that fails here is closed, which rolls back too.
      await run('rollback').catch(() => {});
      throw error;
    }
    await run('commit');
    return result;
  });
}
