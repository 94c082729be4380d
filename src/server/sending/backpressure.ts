import type { ServerResponse } from 'node:http';

/**
 * Applies the response's backpressure to an event source: pulls the next event only after the previous one has drained.
 * Without it, reading ahead would buffer a second event for each slow client, and the source could not coalesce new events.
 */
export function withBackpressure<T>(
  events: AsyncIterableIterator<T, undefined>,
  response: ServerResponse,
): AsyncIterableIterator<T, undefined> {
  let stopWaiting: (() => void) | undefined;
  const nextAfterDrain = async (): Promise<IteratorResult<T, undefined>> => {
    const drained = Promise.withResolvers<void>();
    stopWaiting = drained.resolve;
    response.on('drain', drained.resolve).on('close', drained.resolve);
    await drained.promise;
    response.off('drain', drained.resolve).off('close', drained.resolve);
    return events.next();
  };
  const iterator: AsyncIterableIterator<T, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => (response.writableNeedDrain ? nextAfterDrain() : events.next()),
    async return() {
      // Return the source first: a pending `next` then resolves as done.
      const returned = events.return?.();
      stopWaiting?.();
      return (await returned) ?? { done: true, value: undefined };
    },
    async throw(error) {
      await iterator.return?.();
      throw error;
    },
  };
  return iterator;
}
