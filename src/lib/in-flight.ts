/** Counts operations in flight. */
export interface InFlight {
  readonly count: number;
  /** 1 when an operation starts, −1 when it ends. */
  add(change: 1 | -1): void;
  /** Resolves when the count is 0. */
  waitUntilIdle(): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let idle = Promise.withResolvers<void>();
  idle.resolve();
  return {
    get count() {
      return count;
    },
    add(change) {
      if (count === 0) idle = Promise.withResolvers<void>();
      count += change;
      if (count === 0) idle.resolve();
    },
    waitUntilIdle: () => idle.promise,
  };
}
