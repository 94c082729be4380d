export interface ViewSink<View> {
  /** Replaces a view that has not been read yet, so a slow reader holds one view and never falls behind. */
  push(view: View): void;
  /** Ends with this view. */
  end(view: View): void;
}

/** Begins to push views, now or later. It must not throw. @returns a function that stops */
export type ViewStart<View> = (
  sink: ViewSink<View>,
  isLeft: () => boolean,
) => (() => void) | Promise<() => void>;

/**
 * The latest views of something that changes. `start` runs at the first `next()`. The function that it returns is called once: at
 * the end, when the reader leaves, or when the signal aborts.
 */
export function createViews<View>(
  start: ViewStart<View>,
  signal?: AbortSignal,
): AsyncIterableIterator<View, undefined> {
  let unread: { readonly view: View } | undefined;
  let isEnded = false;
  let stop: (() => void) | undefined;
  let wake = (): void => {};
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    signal?.removeEventListener('abort', leave);
    stop?.();
    wake();
  };
  const leave = (): void => {
    unread = undefined;
    end();
  };
  const sink: ViewSink<View> = {
    push(view) {
      if (isEnded) return;
      unread = { view };
      wake();
    },
    end(view) {
      sink.push(view);
      end();
    },
  };
  const begin = async (): Promise<void> => {
    if (stop || isEnded) return;
    if (signal?.aborted) return end();
    signal?.addEventListener('abort', leave);
    stop = () => {};
    const stopStarted = await start(sink, () => isEnded);
    if (isEnded) stopStarted();
    else stop = stopStarted;
  };
  const views: AsyncIterableIterator<View, undefined> = {
    [Symbol.asyncIterator]: () => views,
    async next() {
      void begin();
      while (!unread) {
        if (isEnded) return { done: true, value: undefined };
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const { view } = unread;
      unread = undefined;
      return { done: false, value: view };
    },
    async return() {
      leave();
      return { done: true, value: undefined };
    },
  };
  return views;
}
