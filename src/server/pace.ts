import type { ServerResponse } from 'node:http';

/**
 * Asks for the next event only when the reply's client has taken the one before: what reads ahead would hold a second one
 * for each client that does not read, where the source would have merged what came meanwhile.
 */
export function pace<T>(
  events: AsyncIterableIterator<T, undefined>,
  response: ServerResponse,
): AsyncIterableIterator<T, undefined> {
  let leave: (() => void) | undefined;
  const nextOnceTaken = async (): Promise<IteratorResult<T, undefined>> => {
    const taken = Promise.withResolvers<void>();
    leave = taken.resolve;
    response.on('drain', taken.resolve).on('close', taken.resolve);
    await taken.promise;
    response.off('drain', taken.resolve).off('close', taken.resolve);
    return events.next();
  };
  const iterator: AsyncIterableIterator<T, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => (response.writableNeedDrain ? nextOnceTaken() : events.next()),
    async return() {
      // Its source has ended then, and so has a `next` that waits.
      const returned = events.return?.();
      leave?.();
      return (await returned) ?? { done: true, value: undefined };
    },
    async throw(error) {
      await iterator.return?.();
      throw error;
    },
  };
  return iterator;
}
