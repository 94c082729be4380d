/** The retry options of graphql-ws's `createClient`. */
export interface ReconnectingOptions {
  readonly shouldRetry: (errorOrCloseEvent: unknown) => boolean;
  readonly retryAttempts: number;
  readonly retryWait: (retries: number) => Promise<void>;
}

const baseDelayMs = 250;
const maxDelayMs = 5000;

/**
 * Retry options for graphql-ws: `createClient({ url, ...reconnecting })`. Retries for about six minutes, which covers a
 * server restart. By default the client retries only an open connection that closes: it gives up if the server is down at the
 * first reconnect, or if the connection breaks during the handshake. Fatal close codes (4400, 4401 …) are still not retried.
 */
export const reconnecting: ReconnectingOptions = {
  shouldRetry: () => true,
  retryAttempts: 100,
  retryWait: (retries) => new Promise((resolve) => setTimeout(resolve, backoffMs(retries, Math.random()))),
};

/** Exponential back-off with jitter: clients disconnected by one restart do not all return together. `random` is from 0 to 1. */
export function backoffMs(retries: number, random: number): number {
  const longest = Math.min(baseDelayMs * 2 ** retries, maxDelayMs);
  return longest / 2 + (longest / 2) * random;
}
