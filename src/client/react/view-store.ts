/** At most 20 renders a second. */
const renderIntervalMs = 50;

/** The latest view of a source, for `useSyncExternalStore`. It reads the source while somebody is subscribed. */
export interface ViewStore<View> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => View;
  /** What a server renders. */
  readonly readInitial: () => View;
  /** Reads the source again, from its beginning. */
  readonly restart: () => void;
}

/** Of the views that end. */
export const isEnded = (view: { readonly isEnded: boolean }): boolean => view.isEnded;

/**
 * `open` is called at the first subscription: rendering alone, on a server or in a render that React drops, starts nothing. A view
 * that is the end stays: to open its source again would show the beginning, or send a failed request again.
 */
export function createViewStore<View>(
  initial: View,
  open: (() => AsyncIterable<View>) | undefined,
  isEnd: (view: View) => boolean = () => false,
): ViewStore<View> {
  const listeners = new Set<() => void>();
  let view = initial;
  let unread: { readonly view: View } | undefined;
  let shownAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave: (() => void) | undefined;
  const show = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!unread) return;
    ({ view } = unread);
    unread = undefined;
    shownAt = Date.now();
    for (const listener of listeners) listener();
  };
  const receive = (next: View): void => {
    unread = { view: next };
    if (timer !== undefined) return;
    // A clock that was set back must not hold up the view.
    const waitMs = Math.min(shownAt + renderIntervalMs - Date.now(), renderIntervalMs);
    if (waitMs <= 0) show();
    else timer = setTimeout(show, waitMs);
  };
  const stop = (): void => {
    show();
    leave?.();
    leave = undefined;
  };
  const start = (): void => {
    if (open && !leave && !isEnd(view)) leave = readAll(open(), receive);
  };
  return {
    subscribe(listener) {
      // A component may subscribe the same function twice.
      const own = (): void => listener();
      listeners.add(own);
      start();
      return () => {
        listeners.delete(own);
        // StrictMode subscribes again at once.
        queueMicrotask(() => {
          if (listeners.size === 0) stop();
        });
      };
    },
    read: () => view,
    readInitial: () => initial,
    restart() {
      stop();
      shownAt = 0;
      receive(initial);
      if (listeners.size > 0) start();
    },
  };
}

/** Views never reject. @returns a function that leaves the loop */
function readAll<View>(views: AsyncIterable<View>, receive: (view: View) => void): () => void {
  const iterator = views[Symbol.asyncIterator]();
  let isLeft = false;
  void (async () => {
    for (;;) {
      const next = await iterator.next();
      if (isLeft || next.done) return;
      receive(next.value);
    }
  })();
  return () => {
    isLeft = true;
    void iterator.return?.();
  };
}
