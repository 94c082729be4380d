import type { ByteHold } from './fairness/byte-holds.ts';
import { mapIterator } from './iterate.ts';

/** Result of `take`: a value, nothing yet, or the end of the source. */
export type TakeResult<T> = Taken<T> | 'wait' | 'end';

export interface Taken<T> {
  readonly value: T | Later<T>;
  /** Whether `take` would return `wait` until the source wakes the reader again. */
  readonly isLatest?: boolean;
}

/** Reads a value when it is delivered. Resolves to undefined if there is nothing to deliver. `hold` counts what it reads. */
export type Later<T> = (hold?: ByteHold) => Promise<T | undefined>;

export function isLater<T>(value: T | Later<T>): value is Later<T> {
  return typeof value === 'function';
}

export interface FollowSource<T> {
  /** Called once, before the first `take`. The source calls `wake` whenever `take` may return something new. Returns the unsubscribe function. */
  open(wake: () => void): () => void;
  /** Must not block. May coalesce everything since the last call into one value, so that the reader needs no queue. */
  take(): TakeResult<T>;
  /** Whether this process produces the values: its shutdown waits for their end. @default false */
  readonly isOwn?: boolean | undefined;
}

/** An iterator whose values can also be taken from its source, without promises. A reader uses one of both. */
export interface Feed<T> extends AsyncIterableIterator<T, undefined> {
  readonly source: FollowSource<T>;
  /** Shared by the feeds whose readers receive the same values, if there is more than one. */
  readonly origin: object | undefined;
}

export function isFeed<T>(values: AsyncIterable<T>): values is Feed<T> {
  return 'source' in values;
}

/**
 * Async iterator over a pull-based source: a slow reader needs no buffer. `return()` takes effect immediately, even while
 * `next()` is pending. A generator parked on `await` cannot be returned, so a disconnected client would leak it.
 */
export function follow<T>(source: FollowSource<T>, origin?: object): Feed<T> {
  type Result = IteratorResult<T | Later<T>, undefined>;
  const done = { done: true, value: undefined } as const;
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
  const takeNext = (): Result | Promise<Result> => {
    if (isClosed) return done;
    // Subscribe before the first `take`, so that no change in between is missed.
    close ??= source.open(wake);
    const result = waiting.length === 0 ? takeOne() : undefined;
    if (result) return result;
    const reader = Promise.withResolvers<Result>();
    waiting.push(reader);
    return reader.promise;
  };
  const iterator: Feed<T> = {
    source,
    origin,
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        for (;;) {
          const { done: isDone, value } = await takeNext();
          if (isDone) return done;
          if (!isLater(value)) return { done: false, value };
          const read = await value();
          if (isClosed) return done;
          if (read !== undefined) return { done: false, value: read };
        }
      } catch (error) {
        finish();
        throw error;
      }
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

/** Like `mapIterator`, for a function that does not throw. */
export function mapFeed<From, To>(feed: Feed<From>, map: (value: From) => To): Feed<To> {
  const { source, origin } = feed;
  return Object.assign(mapIterator(feed, map), {
    origin,
    source: {
      open: source.open,
      isOwn: source.isOwn,
      take(): TakeResult<To> {
        const taken = source.take();
        if (typeof taken === 'string') return taken;
        const { value } = taken;
        const readAndMap: Later<To> = async (hold) => {
          const read = isLater(value) ? await value(hold) : value;
          return read === undefined ? undefined : map(read);
        };
        return { ...taken, value: isLater(value) ? readAndMap : map(value) };
      },
    },
  });
}

/** A feed of these values. */
export function followValues<T>(values: readonly (T | Later<T>)[]): Feed<T> {
  const remaining = values.values();
  return follow<T>({
    open: () => () => {},
    take() {
      const { done, value } = remaining.next();
      return done ? 'end' : { value };
    },
  });
}

/** What a source has, taken one by one. Values that must be read are not read. */
export function followTaken<T>({ open, take }: FollowSource<T>): Feed<Taken<T>> {
  return follow<Taken<T>>({
    open,
    take() {
      const taken = take();
      return typeof taken === 'string' ? taken : { value: taken };
    },
  });
}
