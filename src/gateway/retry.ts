import { backOffMs } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import { wait } from '../lib/wait.ts';
import { GatewayError, RateLimitError } from '../errors.ts';
import { isRedirect } from './decode-error.ts';

export interface RetryOptions {
  /** No retry starts after this time. */
  readonly maxElapsedMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onWait?: ((delayMs: number) => void) | undefined;
}

const maxAttempts = 3;
const delays = { firstMs: 200, maxMs: 5000 };

/** Retries a read on transient failures. Not for requests that start paid work. */
export async function retryRead<T>(
  read: () => Promise<T>,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const startedAt = options.clock.elapsed();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      const isLast = attempt >= maxAttempts || options.clock.elapsed() - startedAt >= options.maxElapsedMs;
      const delayMs = isLast ? undefined : retryDelayMs(error, attempt, options);
      if (delayMs === undefined) throw error;
      options.onWait?.(delayMs);
      await wait(options.clock, delayMs, signal);
      signal?.throwIfAborted();
    }
  }
}

/** Delay before the next attempt. Undefined if the failure is not transient or Retry-After exceeds the maximum delay. */
function retryDelayMs(error: unknown, attempt: number, options: RetryOptions): number | undefined {
  if (!(error instanceof RateLimitError || error instanceof GatewayError)) return undefined;
  if (error.retry !== 'SAFE' && error.retry !== 'LATER') return undefined;
  if (error instanceof GatewayError && isRedirect(error.status ?? 0)) return undefined;
  if (error.retryAfterSeconds !== undefined) {
    const requestedMs = error.retryAfterSeconds * 1000;
    return requestedMs <= delays.maxMs ? requestedMs : undefined;
  }
  // Exponential back-off with full jitter, so that callers do not retry in step.
  return options.random() * backOffMs(attempt, delays);
}
