/** A list of received items that tests can await without a timer. */
export interface Inbox<T> {
  readonly all: readonly T[];
  push(item: T): void;
  /** Resolves with all items as soon as `isEnough` returns true. */
  when(isEnough: (all: readonly T[]) => boolean): Promise<readonly T[]>;
  /** Resolves with the item at this index once it is received. */
  at(index: number): Promise<T>;
}

export function createInbox<T>(): Inbox<T> {
  const all: T[] = [];
  const checks = new Set<() => void>();
  const when = (isEnough: (all: readonly T[]) => boolean): Promise<readonly T[]> => {
    const { promise, resolve } = Promise.withResolvers<readonly T[]>();
    const check = (): void => {
      if (!isEnough(all)) return;
      checks.delete(check);
      resolve(all);
    };
    checks.add(check);
    check();
    return promise;
  };
  return {
    all,
    when,
    push(item) {
      all.push(item);
      for (const check of checks) check();
    },
    async at(index) {
      const found = await when(({ length }) => length > index);
      for (const item of found.slice(index)) return item;
      throw new Error(`there is no item ${index}`); // It has come by now.
    },
  };
}
