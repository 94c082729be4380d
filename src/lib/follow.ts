/** What a source has for one reader right now. */
export type Taken<T> = { readonly value: T } | 'wait' | 'end';

export interface FollowSource<T> {
  /** Called when the reader opens; the source calls `wake` whenever `take` may have something new. Returns how to unsubscribe. */
  open(wake: () => void): () => void;
  /** Never blocks. Everything that came since the last call may be merged into one value: the reader holds no queue. */
  take(): Taken<T>;
}

/**
 * An async iterator over a source that is asked for news rather than pushing them, so that a slow reader costs no
 * memory. `return()` takes effect at once, also while `next()` waits: a generator parked on `await` could not be
 * returned, and a client that left would leak it.
 */
export function follow<T>(source: FollowSource<T>): AsyncIterableIterator<T, undefined> {
  type Result = IteratorResult<T, undefined>;
  const done: Result = { done: true, value: undefined };
  const waiting: PromiseWithResolvers<Result>[] = [];
  let close: (() => void) | undefined;
  let isClosed = false;

  const finish = (): void => {
    if (isClosed) return;
    isClosed = true;
    close?.();
    for (const reader of waiting.splice(0)) reader.resolve(done);
  };
  const takeOne = (): Result | undefined => {
    const taken = source.take();
    if (taken === 'wait') return undefined;
    if (taken !== 'end') return { done: false, value: taken.value };
    finish();
    return done;
  };
  const wake = (): void => {
    while (waiting.length > 0 && !isClosed) {
      let result: Result | undefined;
      try {
        result = takeOne();
      } catch (error) {
        waiting.shift()?.reject(error);
        finish();
        return;
      }
      if (!result) return;
      waiting.shift()?.resolve(result);
    }
  };
  const iterator: AsyncIterableIterator<T, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      if (isClosed) return done;
      // Opened before the first look, so that nothing that comes in between is missed.
      close ??= source.open(wake);
      try {
        const result = waiting.length === 0 ? takeOne() : undefined;
        if (result) return result;
      } catch (error) {
        finish();
        throw error;
      }
      const reader = Promise.withResolvers<Result>();
      waiting.push(reader);
      return reader.promise;
    },
    async return() {
      finish();
      return done;
    },
    async throw(error) {
      finish();
      throw error;
    },
  };
  return iterator;
}
