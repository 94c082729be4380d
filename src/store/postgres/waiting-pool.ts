import { setTimeout } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { beforeDeadline } from '../../lib/before-deadline.ts';
import type { Deadline } from '../store.ts';
import { isAway, toRecordsUnavailable } from './postgres-errors.ts';

/** The members of a connection pool of `pg` that the dialect uses. */
export type ConnectionPool = Pick<Pool, 'connect' | 'end'>;

export interface WaitingPool {
  /**
   * While the database is away, waits for it until the deadline.
   * @throws RecordsUnavailableError if it is still away then, or at once if its configuration is wrong
   */
  connect(deadline: Deadline | undefined): Promise<PoolClient>;
  /**
   * Like `connect`, after statements found the database away, the last one with this error: waits until one succeeds, because
   * a pooler accepts connections without the database.
   */
  connectAgain(deadline: Deadline | undefined, error: unknown): Promise<PoolClient>;
  end(): Promise<void>;
}

const firstDelayMs = 50;
const maxDelayMs = 500;
/** A pooler lets a statement wait for a database that cannot be reached. */
const probeQuery = { text: 'select 1', query_timeout: 5000 };

/** All who wait share one attempt to connect, so that a database that starts is not flooded. */
export function createWaitingPool(pool: ConnectionPool, signal?: AbortSignal): WaitingPool {
  let attempts: Promise<void> | undefined;
  let lastError: unknown;
  /** The latest deadline of those who wait. */
  let waitUntil: Deadline = 0;

  const isLate = (deadline: Deadline): boolean => signal?.aborted === true || performance.now() >= deadline;
  const tryUntilBack = async (): Promise<void> => {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(maxDelayMs, 2 * delayMs)) {
      await setTimeout(delayMs);
      try {
        await probe(pool);
        return;
      } catch (error) {
        lastError = error;
        if (!isAway(error) || isLate(waitUntil)) return;
      }
    }
  };
  const waitForAttempts = async (deadline: Deadline): Promise<void> => {
    waitUntil = Math.max(waitUntil, deadline);
    attempts ??= tryUntilBack().finally(() => (attempts = undefined));
    const ended = attempts.then(() => true);
    if (!(await beforeDeadline(ended, deadline))) throw lastError;
  };
  const connectAgain = async (deadline: Deadline | undefined, reason: unknown): Promise<PoolClient> => {
    lastError = reason;
    if (deadline === undefined || isLate(deadline)) throw reason;
    for (;;) {
      await waitForAttempts(deadline);
      const connecting = pool.connect();
      try {
        const client = await beforeDeadline(connecting, deadline);
        if (client) return client;
        connecting.then(
          (late) => late.release(),
          () => {},
        );
        throw lastError;
      } catch (error) {
        lastError = error;
        if (!isAway(error) || isLate(deadline)) throw error;
      }
    }
  };

  const connect = async (deadline: Deadline | undefined): Promise<PoolClient> => {
    if (attempts && deadline !== undefined) return connectAgain(deadline, lastError);
    try {
      return await pool.connect();
    } catch (error) {
      if (!isAway(error)) throw error;
      return connectAgain(deadline, error);
    }
  };
  const converted = (connecting: Promise<PoolClient>): Promise<PoolClient> =>
    connecting.catch((error: unknown) => {
      throw toRecordsUnavailable(error);
    });

  return {
    connect: (deadline) => converted(connect(deadline)),
    connectAgain: (deadline, error) => converted(connectAgain(deadline, error)),
    end: () => pool.end(),
  };
}

/** @throws if the database does not answer */
async function probe(pool: ConnectionPool): Promise<void> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query(probeQuery);
    isBroken = false;
  } finally {
    client.release(isBroken);
  }
}
