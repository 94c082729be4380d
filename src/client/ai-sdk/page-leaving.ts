interface EventSource {
  addEventListener?(type: string, listener: () => void, options: { readonly capture: true }): void;
  removeEventListener?(type: string, listener: () => void, options: { readonly capture: true }): void;
}

/** What this module uses of a page. Other runtimes lack some or all of it. */
interface Page extends EventSource {
  readonly document?: { readonly visibilityState?: string };
}

/** Listens before other listeners, which may abort requests. */
export function watchPage() {
  const page = globalThis as Page;
  let isLeaving = false;
  const leave = (): void => void (isLeaving = true);
  const stay = (): void => void (isLeaving = false);
  // The user may stay.
  const ask = (): void => {
    leave();
    setTimeout(stay);
  };
  const entries = [
    ['pagehide', leave],
    ['pageshow', stay],
    ['beforeunload', ask],
  ] as const;
  for (const [type, listener] of entries) page.addEventListener?.(type, listener, { capture: true });
  return {
    /** Whether the page is being reloaded, closed or left. Also true while it is hidden: nobody presses a button then. */
    isLeaving: () => isLeaving || page.document?.visibilityState === 'hidden',
    end(): void {
      for (const [type, listener] of entries) page.removeEventListener?.(type, listener, { capture: true });
    },
  };
}
