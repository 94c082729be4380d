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
  end(): Promise<void>;
}

const firstDelayMs = 50;
const maxDelayMs = 500;

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
        (await pool.connect()).release();
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
  const connectAgain = async (deadline: Deadline): Promise<PoolClient> => {
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

  return {
    async connect(deadline) {
      try {
        if (attempts && deadline !== undefined) return await connectAgain(deadline);
        try {
          return await pool.connect();
        } catch (error) {
          if (deadline === undefined || !isAway(error) || isLate(deadline)) throw error;
          lastError = error;
        }
        return await connectAgain(deadline);
      } catch (error) {
        throw toRecordsUnavailable(error);
      }
    },
    end: () => pool.end(),
  };
}
