import type { Clock } from './clock.ts';

/** Resolves after this time, or when the signal aborts. */
export function wait(clock: Pick<Clock, 'after'>, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(delayMs, end);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}
