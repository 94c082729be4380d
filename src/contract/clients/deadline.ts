/** Longer than every time that the product promises, on a busy machine too. Only a case that hangs reaches it. */
const longestWaitMs = 60_000;

/** Resolves with the promise. @throws Error with the description when it takes so long that it will never resolve */
export async function beforeDeadline<Value>(
  promise: Promise<Value>,
  describe: () => string,
  timeoutMs = longestWaitMs,
): Promise<Value> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  // Created here, so that its stack names the case.
  const error = new Error();
  const timer = setTimeout(() => {
    error.message = `nothing happened for ${timeoutMs / 1000} s: ${describe()}`;
    reject(error);
  }, timeoutMs);
  // A wait that its case gave up does not keep the process alive.
  timer.unref();
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
