/** Processor time in milliseconds of the longest iteration of the event loop while the work runs. Waiting does not count. */
export async function longestPieceMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let last = processorMs();
  const measure = (): void => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  try {
    await work();
  } finally {
    isDone = true;
  }
  return longest;
}

/** Processor time of this thread. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
