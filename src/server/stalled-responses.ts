import type { ServerResponse } from 'node:http';
import type { Clock } from '../lib/clock.ts';

export interface StalledResponses {
  /** Lets go of a client that takes nothing of its reply for two rounds, though more is waiting. */
  watch(response: ServerResponse): void;
}

interface Watched {
  /** Whether the client has taken something since the last round. */
  hasMoved: boolean;
  stalledRounds: number;
}

/** WebSockets are asked whether they are there; replies and event streams over HTTP show it by taking what is sent. */
export function createStalledResponses({
  clock,
  intervalMs,
}: {
  readonly clock: Clock;
  readonly intervalMs: number;
}): StalledResponses {
  const watched = new Map<ServerResponse, Watched>();
  let cancelTimer: (() => void) | undefined;

  const look = (): void => {
    cancelTimer = undefined;
    for (const [response, state] of watched) {
      state.stalledRounds = response.writableNeedDrain && !state.hasMoved ? state.stalledRounds + 1 : 0;
      state.hasMoved = false;
      if (state.stalledRounds >= 2) response.destroy();
    }
    schedule();
  };
  // One timer for all, and none while there is nobody.
  const schedule = (): void => {
    if (watched.size > 0) cancelTimer ??= clock.after(intervalMs, look);
  };

  return {
    watch(response) {
      const state: Watched = { hasMoved: true, stalledRounds: 0 };
      watched.set(response, state);
      response.on('drain', () => (state.hasMoved = true));
      response.once('close', () => {
        watched.delete(response);
        if (watched.size > 0) return;
        cancelTimer?.();
        cancelTimer = undefined;
      });
      schedule();
    },
  };
}
