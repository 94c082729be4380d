/** What this module uses of a page. Node, workers and React Native lack some or all of it. */
interface EventSource {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

/**
 * Calls the listener when a page comes back: it is shown, resumed from sleep or from the back-forward cache, or has a network
 * again. @returns a function that stops
 */
export function onPageResumed(listener: () => void): () => void {
  // The DOM's types are not part of every program that imports this module.
  const page = globalThis as EventSource & { readonly document?: EventSource & { visibilityState?: string } };
  const whenVisible = (): void => {
    if (page.document?.visibilityState !== 'hidden') listener();
  };
  const entries = [
    [page, 'online', listener],
    [page, 'pageshow', listener],
    [page.document, 'visibilitychange', whenVisible],
    [page.document, 'resume', listener],
  ] as const;
  for (const [source, type, handle] of entries) source?.addEventListener?.(type, handle);
  return () => {
    for (const [source, type, handle] of entries) source?.removeEventListener?.(type, handle);
  };
}
