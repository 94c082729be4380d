/** Maps what an iterator yields, without a generator between: `return()` reaches the source at once. */
export function mapIterator<From, To>(
  source: AsyncIterator<From>,
  map: (value: From) => To | Promise<To>,
): AsyncIterableIterator<To, undefined> {
  type Result = IteratorResult<To, undefined>;
  const done: Result = { done: true, value: undefined };
  const toResult = async (result: IteratorResult<From>): Promise<Result> => {
    if (result.done) return done;
    const mapped = map(result.value);
    return { done: false, value: mapped instanceof Promise ? await mapped : mapped };
  };
  const iterator: AsyncIterableIterator<To, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => source.next().then(toResult),
    async return() {
      await source.return?.();
      return done;
    },
    async throw(error) {
      await source.return?.();
      throw error;
    },
  };
  return iterator;
}

/** An iterator over values that are already there. */
export function iterateValues<T>(values: readonly T[]): AsyncIterableIterator<T, undefined> {
  const remaining = [...values];
  const iterator: AsyncIterableIterator<T, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const [value] = remaining.splice(0, 1);
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      remaining.length = 0;
      return { done: true, value: undefined };
    },
  };
  return iterator;
}
