import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../sql/basics/tables.ts';
import type { Write, Writes } from '../sql/basics/database.ts';
import type { Deadline } from '../store.ts';
import { type LockWait, retryWhileBusy } from './lock-wait.ts';
import { toRecordsUnavailable } from './result-codes.ts';

export interface SqliteWritesOptions {
  readonly database: DatabaseSync;
  /** Gives its users turns on the connection. */
  readonly writer: Kysely<Tables>;
  /** How long the writes wait for other processes. */
  readonly lockWait: LockWait;
  /** The log of commits. Absent for a database in memory. */
  readonly log?: CommitLog | undefined;
}

export interface CommitLog {
  /** Called after commits. Resolves when they are on disk. */
  sync(): Promise<void>;
  /** Resolves when no sync runs. Never rejects. */
  waitUntilIdle(): Promise<void>;
  /** Called after each commit, and after one that failed. */
  onWritten(): void;
}

export interface SqliteWrites extends Writes {
  /** Runs while no write does. Writes wait for it. */
  pause<Result>(run: () => Promise<Result>): Promise<Result>;
}

/**
 * Writes over the only write connection. Those that wait at the same time share a transaction: its commit takes as long as
 * the rest of a small write, and writes whole pages, most of which they share.
 */
export function createSqliteWrites(options: SqliteWritesOptions): SqliteWrites {
  const { writer, lockWait, log } = options;
  const group = new GroupedWrites(options);
  const { createDeadline } = lockWait;
  const run = <Result>(write: Write<Result>, deadline = createDeadline()): Promise<Result> =>
    group.add(write, deadline);
  return {
    transaction: run,
    statement: run,
    sync: async () => log?.sync(),
    createDeadline,
    pause: (action) => writer.connection().execute(action),
  };
}

interface WaitingWrite {
  readonly deadline: Deadline;
  /** Runs the write. Returns the function that resolves its promise, to be called after the commit. */
  readonly attempt: Write<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Time of writes in one turn of the event loop, which they block. */
const sliceMs = 5;
/** Time of all writes of a group, after which it is committed. */
const groupMs = 40;
/** Time of a group and the work between its writes, after which it is committed as soon as no write waits. */
const joinMs = 10;

class GroupedWrites {
  readonly #options: SqliteWritesOptions;
  readonly #statements: Readonly<Record<'begin' | 'commit' | 'rollback', () => unknown>>;
  #waiting: WaitingWrite[] = [];
  #isScheduled = false;

  constructor(options: SqliteWritesOptions) {
    this.#options = options;
    const prepare = (sql: string) => {
      const statement = options.database.prepare(sql);
      return () => statement.run();
    };
    // Immediate: a deferred transaction that reads before it writes fails if another process wrote in between.
    const [begin, commit, rollback] = [prepare('begin immediate'), prepare('commit'), prepare('rollback')];
    this.#statements = { begin, commit, rollback };
  }

  add<Result>(write: Write<Result>, deadline: Deadline): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const attempt = async (db: Kysely<Tables>) => {
      const result = await write(db);
      return () => resolve(result);
    };
    this.#waiting.push({ deadline, attempt, reject });
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    void setImmediate().then(() => this.#runNext());
  }

  async #runNext(): Promise<void> {
    // Their sync could not begin before the end of this one. Until then, more writes may join them.
    await this.#options.log?.waitUntilIdle();
    try {
      await this.#options.writer.connection().execute((db) => this.#runGroup(db));
    } catch (error) {
      // The connection is closed.
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
    this.#isScheduled = false;
    this.#schedule();
  }

  async #runGroup(db: Kysely<Tables>): Promise<void> {
    if (!(await this.#begin())) return;
    const taken: WaitingWrite[] = [];
    try {
      await this.#commit(() => this.#attemptWaiting(db, taken));
    } catch (error) {
      // One of them failed, or together they are too large for the disk. A write that is rolled back may run again.
      if (taken.length === 1) taken[0]?.reject(error);
      else for (const write of taken) await this.#runAlone(db, write);
    }
  }

  async #runAlone(db: Kysely<Tables>, write: WaitingWrite): Promise<void> {
    try {
      await retryWhileBusy(this.#statements.begin, write.deadline);
      await this.#commit(async () => [await write.attempt(db)]);
    } catch (error) {
      write.reject(error);
    }
  }

  /** Runs the writes that wait, also those that begin to wait in the next turns. Adds each to `taken` first. */
  async #attemptWaiting(db: Kysely<Tables>, taken: WaitingWrite[]): Promise<(() => void)[]> {
    const resolves: (() => void)[] = [];
    const joinsUntil = performance.now() + (this.#options.log ? joinMs : 0);
    let remainingMs = this.#groupMs;
    for (;;) {
      const startedAt = performance.now();
      const takenBefore = taken.length;
      do {
        const next = this.#waiting.shift();
        if (!next) break;
        taken.push(next);
        resolves.push(await next.attempt(db));
      } while (performance.now() - startedAt < sliceMs);
      const endedAt = performance.now();
      const isDone = this.#waiting.length === 0 && (endedAt >= joinsUntil || taken.length === takenBefore);
      if (isDone) return resolves;
      const elapsedMs = endedAt - startedAt;
      remainingMs -= elapsedMs;
      // The commit takes as long again for a large write: it writes the pages that have changed.
      if (remainingMs <= 0 || elapsedMs > 2 * sliceMs) return resolves;
      await setImmediate();
    }
  }

  /** Reads of a database in memory use the same connection, so its groups end with the turn. */
  get #groupMs(): number {
    return this.#options.log ? groupMs : sliceMs;
  }

  /** Begins a transaction. Returns false if no write waits for it any more. */
  async #begin(): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const deadline = Math.min(...this.#waiting.map((write) => write.deadline));
      try {
        await retryWhileBusy(this.#statements.begin, deadline);
        return true;
      } catch (error) {
        const now = performance.now();
        const isOver = (write: WaitingWrite) => write.deadline <= Math.max(now, deadline);
        const over = this.#waiting.filter(isOver);
        this.#waiting = this.#waiting.filter((write) => !isOver(write));
        for (const { reject } of over) reject(error);
      }
    }
    return false;
  }

  /** Commits what the attempt writes, and resolves its promises. Rolls back if it fails. */
  async #commit(attempt: () => Promise<readonly (() => void)[]>): Promise<void> {
    const { commit, rollback } = this.#statements;
    let resolves: readonly (() => void)[];
    try {
      resolves = await attempt();
      commit();
    } catch (error) {
      // Some failures roll back by themselves.
      if (this.#options.database.isTransaction) rollback();
      throw toRecordsUnavailable(error);
    } finally {
      this.#options.log?.onWritten();
    }
    for (const resolve of resolves) resolve();
  }
}
