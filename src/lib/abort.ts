/** Aborts with its parent signals and removes its listeners when it is disposed, so that a long-lived parent keeps none. */
export interface ChildController extends Disposable {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

export function createChildController(...parents: readonly (AbortSignal | undefined)[]): ChildController {
  const controller = new AbortController();
  const unlink = (): void => {
    for (const parent of parents) parent?.removeEventListener('abort', onAbort);
  };
  const abort = (reason?: unknown): void => {
    unlink();
    controller.abort(reason);
  };
  const onAbort = (event: Event): void => {
    const { target } = event;
    abort(target instanceof AbortSignal ? target.reason : undefined);
  };
  for (const parent of parents) parent?.addEventListener('abort', onAbort, { once: true });
  const aborted = parents.find((parent) => parent?.aborted);
  if (aborted) abort(aborted.reason);
  return { signal: controller.signal, abort, [Symbol.dispose]: unlink };
}

export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Settles with the promise, or rejects with the signal's reason if the signal aborts first. Leaves no listener behind. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  // After an abort the promise has no other handler.
  promise.catch(() => {});
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
