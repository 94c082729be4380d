/**
 * Maps the values of an iterator, and skips those that map to undefined. Not a generator, so `return()` reaches the source
 * immediately. If the source or `map` fails, calls the source's `return()` and rejects with `toError(error)`.
 */
export function mapIterator<From, To>(
  source: AsyncIterator<From>,
  map: (value: From) => To | undefined | Promise<To | undefined>,
  toError: (error: unknown) => unknown = (error) => error,
): AsyncIterableIterator<To, undefined> {
  const done = { done: true, value: undefined } as const;
  const iterator: AsyncIterableIterator<To, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        for (;;) {
          const result = await source.next();
          if (result.done) return done;
          const mapped = map(result.value);
          const value = mapped instanceof Promise ? await mapped : mapped;
          if (value !== undefined) return { done: false, value };
        }
      } catch (error) {
        await source.return?.();
        throw toError(error);
      }
    },
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
