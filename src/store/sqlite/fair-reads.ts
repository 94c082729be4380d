/** Runs the reads of clients one at a time, because SQLite reads on the main thread. */
export interface FairReads {
  /**
   * Runs a read, at once if no other one is in progress and the iteration of the event loop has time left. Otherwise the
   * read waits. Groups with waiting reads take turns, and within a group its owners. The reads of one owner in a group
   * keep their order.
   */
  run<Result>(owner: string, read: () => Promise<Result>): Promise<Result>;
}

export interface FairReadsOptions {
  /** The owners that share the turns of this one. @default each owner is a group */
  readonly groupOf?: ((owner: string) => string) | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Calls back in the next iteration of the event loop, after pending I/O. */
  readonly nextIteration?: (callback: () => void) => void;
}

/** Time for reads in one iteration of the event loop, with the work that follows from them. */
export const readSliceMs = 5;

export function createFairReads({
  groupOf = (owner) => owner,
  now = () => performance.now(),
  nextIteration = setImmediate,
}: FairReadsOptions = {}): FairReads {
  /** By group and owner. The group of the next read comes first, and in each group the owner of its next read. */
  const waiting = new Map<string, Map<string, (() => void)[]>>();
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
    const [group, owners] = next;
    const [[owner, reads] = ['', []]] = owners;
    const start = reads.shift();
    owners.delete(owner);
    if (reads.length > 0) owners.set(owner, reads);
    waiting.delete(group);
    if (owners.size > 0) waiting.set(group, owners);
    start?.();
  };
  const join = (owner: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = groupOf(owner);
    const owners = waiting.get(group) ?? new Map<string, (() => void)[]>();
    waiting.set(group, owners);
    const reads = owners.get(owner);
    if (reads) reads.push(resolve);
    else owners.set(owner, [resolve]);
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
