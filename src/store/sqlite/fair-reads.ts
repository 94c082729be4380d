/** Runs the reads of clients one at a time, because SQLite reads on the main thread. */
export interface FairReads {
  /**
   * Runs a read, at once if no other one is in progress and the iteration of the event loop has time left. Otherwise the
   * read waits. Owners with waiting reads take turns. The reads of one owner keep their order.
   */
  run<Result>(owner: string, read: () => Promise<Result>): Promise<Result>;
}

export interface FairReadsOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Calls back in the next iteration of the event loop, after pending I/O. */
  readonly nextIteration?: (callback: () => void) => void;
}

/** Time for reads in one iteration of the event loop, with the work that follows from them. */
export const readSliceMs = 5;

export function createFairReads({
  now = () => performance.now(),
  nextIteration = setImmediate,
}: FairReadsOptions = {}): FairReads {
  /** The owner of the next read comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let isReading = false;
  let sliceStartedAt: number | undefined;

  const hasTime = (): boolean => {
    if (sliceStartedAt === undefined) {
      sliceStartedAt = now();
      nextIteration(endSlice);
    }
    return now() - sliceStartedAt < readSliceMs;
  };
  const endSlice = (): void => {
    sliceStartedAt = undefined;
    if (!isReading) startNext();
  };
  const startNext = (): void => {
    const [next] = waiting;
    isReading = next !== undefined && hasTime();
    if (!next || !isReading) return;
    const [owner, reads] = next;
    const start = reads.shift();
    waiting.delete(owner);
    if (reads.length > 0) waiting.set(owner, reads);
    start?.();
  };
  const join = (owner: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reads = waiting.get(owner);
    if (reads) reads.push(resolve);
    else waiting.set(owner, [resolve]);
    return promise;
  };
  return {
    async run(owner, read) {
      if (isReading || waiting.size > 0 || !hasTime()) await join(owner);
      isReading = true;
      try {
        return await read();
      } finally {
        startNext();
      }
    },
  };
}
