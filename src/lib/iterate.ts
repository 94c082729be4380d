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
