import type { Clock } from './clock.ts';

export interface TimeoutOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Waits for the promise until the timeout, then resolves with undefined. The timeout stops the wait, not the work. A
 * rejection after the timeout is ignored, unless the caller also awaits the promise itself.
 */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  { clock, timeoutMs }: TimeoutOptions,
): Promise<Value | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const cancel = clock.after(timeoutMs, () => timeout.resolve(undefined));
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    cancel();
  }
}
