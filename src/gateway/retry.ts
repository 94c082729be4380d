import type { Clock } from '../lib/clock.ts';
import { abortable } from '../lib/abort.ts';
import { GatewayError, RateLimitError } from '../errors.ts';

export interface RetryOptions {
  readonly attempts: number;
  /** No further attempt begins once this much time has passed. */
  readonly patienceMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** Repeats a read while its failure is one that may pass. Never for a request that starts paid work. */
export async function retryRead<T>(read: () => Promise<T>, options: RetryOptions): Promise<T> {
  const startedAt = options.clock.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      const isOver = attempt >= options.attempts || options.clock.now() - startedAt >= options.patienceMs;
      const delayMs = isOver ? undefined : retryDelayMs(error, attempt, options);
      if (delayMs === undefined) throw error;
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = options.clock.after(delayMs, resolve);
      try {
        await abortable(promise, options.signal);
      } finally {
        cancel();
      }
    }
  }
}

/** How long to wait before the next attempt; undefined when there is no point in one, or it would be later than we wait. */
function retryDelayMs(error: unknown, attempt: number, options: RetryOptions): number | undefined {
  const isRetryable = error instanceof RateLimitError || (error instanceof GatewayError && error.isRetryable);
  if (!isRetryable) return undefined;
  if (error.retryAfterSeconds !== undefined) {
    const asked = error.retryAfterSeconds * 1000;
    return asked <= options.maxDelayMs ? asked : undefined;
  }
  // Full jitter over an exponential ceiling keeps many callers from returning in step.
  return options.random() * Math.min(options.maxDelayMs, options.baseDelayMs * 2 ** (attempt - 1));
}
