/** Waits for the promise until a time of `performance.now()`, then resolves with undefined. A later rejection is ignored. */
export async function beforeDeadline<Value>(
  promise: Promise<Value>,
  deadline: number,
): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
