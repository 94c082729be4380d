import { GatewayError, RateLimitError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

/** Remembers where the gateway asked to wait, so that nobody asks there before that, whoever comes. */
export interface SlowDown {
  /** Why not to ask now; undefined when asking is fine. */
  reasonToWait(place: string): Error | undefined;
  /** Takes note of a failed read. */
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
