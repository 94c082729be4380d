import { LRUCache } from 'lru-cache';
import { GatewayError, RateLimitError } from '../errors.ts';
import { limitEntries } from '../lib/cache-limits.ts';
import type { Clock } from '../lib/clock.ts';
import { hourMs } from '../lib/time.ts';

/** Remembers the gateway's `Retry-After` per owner and read, so that all readers obey it. */
export interface RetryAfter {
  /**
   * The error for a read that must not be sent yet. Undefined when the read may be sent. Of one task, its message says if the
   * refused read was that of another.
   */
  findError(readKey: string, taskId?: string): Error | undefined;
  /** Records the `Retry-After` of a failed read of these tasks. */
  record(readKey: string, error: unknown, taskIds: readonly string[]): void;
}

interface Wait {
  readonly until: number;
  readonly message: string;
  /** The tasks whose read the gateway refused. */
  readonly refused: ReadonlySet<string>;
}

/** A wait whose owner never reads again is not removed when it is over. */
const maxWaits = 20_000;

/** Some gateways send a time in place of seconds. One read in this time is not too much for any. */
const maxWaitMs = hourMs;

/** How long reads wait if the gateway asks for so many seconds. */
export function toWaitMs(retryAfterSeconds = 0): number {
  return Math.min(retryAfterSeconds * 1000, maxWaitMs);
}

const postponed =
  'This task was not read, because the gateway refused the read of another task and asked to wait: ';

export function createRetryAfter(clock: Clock): RetryAfter {
  const waits = new LRUCache<string, Wait>(limitEntries(maxWaits));
  return {
    findError(readKey, taskId) {
      const wait = waits.get(readKey);
      if (!wait) return undefined;
      const retryAfterSeconds = Math.ceil((wait.until - clock.elapsed()) / 1000);
      if (retryAfterSeconds <= 0) {
        waits.delete(readKey);
        return undefined;
      }
      const isOwn = taskId === undefined || wait.refused.has(taskId);
      return new RateLimitError(isOwn ? wait.message : postponed + wait.message, { retryAfterSeconds });
    },
    record(readKey, error, taskIds) {
      if (!(error instanceof RateLimitError || error instanceof GatewayError) || !error.retryAfterSeconds)
        return;
      waits.set(readKey, {
        until: clock.elapsed() + toWaitMs(error.retryAfterSeconds),
        message: error.message,
        refused: new Set(taskIds),
      });
    },
  };
}
