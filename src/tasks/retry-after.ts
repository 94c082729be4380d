import { GatewayError, RateLimitError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

/** Remembers the gateway's `Retry-After` per owner and read, so that all readers obey it. */
export interface RetryAfter {
  /** The error for a read that must not be sent yet. Undefined when the read may be sent. */
  activeError(readKey: string): Error | undefined;
  /** Records the `Retry-After` of a failed read. */
  record(readKey: string, error: unknown): void;
}

export function createRetryAfter(clock: Clock): RetryAfter {
  const waits = new Map<string, { readonly until: number; readonly message: string }>();
  return {
    activeError(readKey) {
      const wait = waits.get(readKey);
      if (!wait) return undefined;
      const retryAfterSeconds = Math.ceil((wait.until - clock.elapsed()) / 1000);
      if (retryAfterSeconds > 0) return new RateLimitError(wait.message, { retryAfterSeconds });
      waits.delete(readKey);
      return undefined;
    },
    record(readKey, error) {
      if (!(error instanceof RateLimitError || error instanceof GatewayError) || !error.retryAfterSeconds)
        return;
      waits.set(readKey, { until: clock.elapsed() + error.retryAfterSeconds * 1000, message: error.message });
    },
  };
}
