/**
 * Processor time in milliseconds of the longest iteration of the event loop while the work runs. Waiting does not count.
 * Repeats the work, at most twice, until this is below `enoughMs`: a garbage collection can make an iteration long, and a step
 * that is not divided is long each time.
 */
export async function longestPieceMs(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least >= enoughMs; attempt += 1)
    least = Math.min(least, await measureLongest(work));
  return least;
}

async function measureLongest(work: () => Promise<unknown>): Promise<number> {
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
