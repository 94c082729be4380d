import { setTimeout } from 'node:timers/promises';
import type { Deadline } from '../store.ts';
import { isBusy, toRecordsUnavailable } from './result-codes.ts';

const defaultLockWaitMs = 10_000;

/** How long the statements of a connection wait for its lock. */
export interface LockWait {
  readonly createDeadline: () => Deadline;
  /** From now on, statements do not wait. */
  readonly stop: () => void;
}

export function createLockWait(waitMs = defaultLockWaitMs): LockWait {
  let remainingMs = waitMs;
  return { createDeadline: () => performance.now() + remainingMs, stop: () => void (remainingMs = 0) };
}

/**
 * Retries while another connection holds the lock, without blocking the event loop. SQLite's own busy timeout would block
 * every stream, and would deadlock if the other connection belongs to this process. Retrying is safe: a statement that
 * fails as busy has changed nothing.
 */
export async function retryWhileBusy<Result>(execute: () => Result, deadline: Deadline): Promise<Result> {
  for (let delayMs = 1; ; delayMs = Math.min(20, delayMs + 1)) {
    try {
      return execute();
    } catch (error) {
      const remainingMs = deadline - performance.now();
      if (!isBusy(error) || remainingMs <= 0) throw toRecordsUnavailable(error);
      await setTimeout(Math.min(delayMs, remainingMs));
    }
  }
}
