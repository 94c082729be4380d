import { createViews } from './views.ts';

/** Loads something at its first use, such as code that other pages do not pay for. After a failure, the next use tries again. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cause;
    }));
}

/**
 * The views of a source whose code is loaded when the first loop begins. If it cannot be loaded, for example without a network,
 * `fail` gives a view that says so, and it is tried again.
 */
export function loadViews<View>(
  load: () => Promise<AsyncIterable<View>>,
  fail: (cause: unknown) => View,
  signal?: AbortSignal,
): AsyncIterableIterator<View, undefined> {
  return createViews<View>((sink, end) => {
    let views: AsyncIterator<View> | undefined;
    let isLeft = false;
    const read = async (): Promise<void> => {
      const source = await load();
      if (isLeft) return;
      views = source[Symbol.asyncIterator]();
      for (;;) {
        const next = await views.next();
        if (next.done) return end();
        sink.push(next.value);
      }
    };
    const tryToRead = (): void =>
      void read().catch((cause: unknown) => {
        if (isLeft) return;
        sink.push(fail(cause));
        setTimeout(tryToRead, againMs);
      });
    tryToRead();
    return () => {
      isLeft = true;
      void views?.return?.();
    };
  }, signal);
}

const againMs = 5000;
