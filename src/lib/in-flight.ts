/** Counts what is under way, and tells when nothing is. */
export interface InFlight {
  readonly count: number;
  /** Call what it returns, once, when that ends. */
  begin(): () => void;
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
    begin() {
      if (count === 0) none = Promise.withResolvers<void>();
      count += 1;
      return () => {
        count -= 1;
        if (count === 0) none.resolve();
      };
    },
    whenNone: () => none.promise,
  };
}
