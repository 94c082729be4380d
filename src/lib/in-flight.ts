/** Counts operations in flight. */
export interface InFlight {
  readonly count: number;
  /** 1 when an operation starts, −1 when it ends. */
  add(change: 1 | -1): void;
  /** Counts work until it ends. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when the count is 0. */
  waitUntilIdle(): Promise<void>;
}

export function createInFlight(): InFlight {
  let idle = Promise.withResolvers<void>();
  idle.resolve();
  const operations = {
    // A plain member: a getter of its own would make each of these objects a slow one.
    count: 0,
    add(change: 1 | -1): void {
      if (operations.count === 0) idle = Promise.withResolvers<void>();
      operations.count += change;
      if (operations.count === 0) idle.resolve();
    },
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      operations.add(1);
      try {
        return await work();
      } finally {
        operations.add(-1);
      }
    },
    waitUntilIdle: () => idle.promise,
  };
  return operations;
}
