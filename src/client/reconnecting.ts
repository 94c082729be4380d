/** What graphql-ws's `createClient` takes of this. */
export interface ReconnectingOptions {
  readonly shouldRetry: (errorOrCloseEvent: unknown) => boolean;
  readonly retryAttempts: number;
  readonly retryWait: (retries: number) => Promise<void>;
}

const firstWaitMs = 250;
const maxWaitMs = 5000;

/**
 * For graphql-ws's `createClient({ url, ...reconnecting })`: goes on trying for some six minutes, so that a server has time
 * to start again. By itself that client gives up when its first reconnect finds no server: it retries after a
 * connection that closed, and a refused one is an error there. Codes that make no retry sensible (4400, 4401 …) stay final.
 */
export const reconnecting: ReconnectingOptions = {
  shouldRetry: () => true,
  retryAttempts: 100,
  retryWait: (retries) => new Promise((resolve) => setTimeout(resolve, waitMs(retries, Math.random()))),
};

/** Longer each time, and never the same for all whom one restart has cut. `random` is from 0 to 1. */
export function waitMs(retries: number, random: number): number {
  const longest = Math.min(firstWaitMs * 2 ** retries, maxWaitMs);
  return longest / 2 + (longest / 2) * random;
}
