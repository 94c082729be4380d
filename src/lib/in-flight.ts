/** Counts what is under way, and tells when nothing is. */
export interface InFlight {
  readonly count: number;
  /** Something has begun (1) or ended (−1). */
  add(change: 1 | -1): void;
  /** Resolves as soon as nothing is under way. */
  whenNone(): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let none = Promise.withResolvers<void>();
  none.resolve();
  return {
    get count() {
      return count;
    },
    add(change) {
      if (count === 0) none = Promise.withResolvers<void>();
      count += change;
      if (count === 0) none.resolve();
    },
    whenNone: () => none.promise,
  };
}
