import { GatewayError, RateLimitError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

/** Remembers the gateway's `Retry-After` per place, for all readers of that place. */
export interface SlowDown {
  /** The error for a read that must not be sent yet. Undefined when the read may be sent. */
  reasonToWait(place: string): Error | undefined;
  /** Records the `Retry-After` of a failed read. */
  note(place: string, error: unknown): void;
}

export function createSlowDown(clock: Clock): SlowDown {
  const waits = new Map<string, { readonly until: number; readonly message: string }>();
  return {
    reasonToWait(place) {
      const wait = waits.get(place);
      if (!wait) return undefined;
      const retryAfterSeconds = Math.ceil((wait.until - clock.now()) / 1000);
      if (retryAfterSeconds > 0) return new RateLimitError(wait.message, { retryAfterSeconds });
      waits.delete(place);
      return undefined;
    },
    note(place, error) {
      if (!(error instanceof RateLimitError || error instanceof GatewayError) || !error.retryAfterSeconds)
        return;
      waits.set(place, { until: clock.now() + error.retryAfterSeconds * 1000, message: error.message });
    },
  };
}
