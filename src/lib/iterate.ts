/**
 * Maps the values of an iterator. Not a generator, so `return()` reaches the source immediately. If the source or `map`
 * fails, calls the source's `return()` and rejects with `toError(error)`.
 */
export function mapIterator<From, To>(
  source: AsyncIterator<From>,
  map: (value: From) => To | Promise<To>,
  toError: (error: unknown) => unknown = (error) => error,
): AsyncIterableIterator<To, undefined> {
  type Result = IteratorResult<To, undefined>;
  const done: Result = { done: true, value: undefined };
  const toResult = async (result: IteratorResult<From>): Promise<Result> => {
    if (result.done) return done;
    const mapped = map(result.value);
    return { done: false, value: mapped instanceof Promise ? await mapped : mapped };
  };
  const fail = async (error: unknown): Promise<never> => {
    await source.return?.();
    throw toError(error);
  };
  const iterator: AsyncIterableIterator<To, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => source.next().then(toResult).catch(fail),
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

/** Like `mapIterator`, but skips values that map to undefined. */
export function mapPresent<From, To>(
  source: AsyncIterator<From>,
  map: (value: From) => Promise<To | undefined>,
  toError?: (error: unknown) => unknown,
): AsyncIterableIterator<To, undefined> {
  const mapped = mapIterator(source, map, toError);
  const iterator: AsyncIterableIterator<To, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      for (;;) {
        const result = await mapped.next();
        if (result.done) return result;
        if (result.value !== undefined) return { done: false, value: result.value };
      }
    },
    async return() {
      await mapped.return?.();
      return { done: true, value: undefined };
    },
  };
  return iterator;
}

/** The same values. Calls back when the iterator ends, fails or is returned, possibly more than once. */
export function whenEnded<T>(
  source: AsyncIterableIterator<T, undefined>,
  onEnd: () => void,
): AsyncIterableIterator<T, undefined> {
  const iterator: AsyncIterableIterator<T, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        const result = await source.next();
        if (result.done) onEnd();
        return result;
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    async return() {
      onEnd();
      return (await source.return?.()) ?? { done: true, value: undefined };
    },
  };
  return iterator;
}
