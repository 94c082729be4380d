import type { Clock } from './clock.ts';

/**
 * Spaces pieces of work out, so that together they use at most a share of the event loop. One piece runs at a time. Parties
 * with waiting pieces take turns.
 */
export interface PacedWork {
  /**
   * Runs a piece of work, at once if nothing waits and the rest after the previous piece is over. Only its synchronous part
   * counts. Rejects with the error of `refuse` if too many pieces wait, of this party or of all.
   */
  run<Result>(party: string, work: () => Result | Promise<Result>): Promise<Result>;
}

export interface PacedWorkOptions {
  /** Largest share of the event loop, between 0 and 1. */
  readonly share: number;
  /** Waiting pieces of one party. */
  readonly maxWaitingPerParty: number;
  /** Waiting pieces of all parties. */
  readonly maxWaiting: number;
  /** The error of a piece that may not wait. */
  readonly refuse: () => Error;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
}

/** Longer rests come from pauses of the process, which the clock may count until it notices them. */
const maxRestMs = 5000;

export function createPacedWork(options: PacedWorkOptions): PacedWork {
  const { share, maxWaitingPerParty, maxWaiting, refuse, clock } = options;
  /** The party of the next piece comes first. */
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  let restsUntil = -Infinity;
  let isScheduled = false;

  const restMs = (): number => Math.min(Math.max(restsUntil - clock.elapsed(), 0), maxRestMs);
  const schedule = (): void => {
    if (isScheduled || waiting === 0) return;
    isScheduled = true;
    clock.after(restMs(), startNext);
  };
  const startNext = (): void => {
    isScheduled = false;
    const [[party, queue] = ['', []]] = queues;
    const start = queue.shift();
    queues.delete(party);
    if (queue.length > 0) queues.set(party, queue);
    if (start) waiting -= 1;
    start?.();
  };
  const join = (party: string): Promise<void> => {
    const queue = queues.get(party) ?? [];
    if (queue.length >= maxWaitingPerParty || waiting >= maxWaiting) throw refuse();
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    queues.set(party, queue);
    waiting += 1;
    schedule();
    return promise;
  };
  return {
    async run(party, work) {
      if (waiting > 0 || restMs() > 0) await join(party);
      const startedAt = clock.elapsed();
      const remainingMs = restMs();
      try {
        return work();
      } finally {
        const ownRestMs = (clock.elapsed() - startedAt) / share;
        restsUntil = startedAt + Math.min(remainingMs + ownRestMs, maxRestMs);
        schedule();
      }
    },
  };
}
