import { PerformanceObserver } from 'node:perf_hooks';

/** Processor time to decode and parse 10 MB, on a machine that has the time of the limits. */
const referenceMs = 20;

/**
 * Processor time in milliseconds of the longest iteration of the event loop while the work runs, without garbage collections,
 * as on a machine with the time of reference. Waiting does not count. Repeats the work, at most four times, until this is below `enoughMs`: other processes can slow an
 * iteration down, and a step that is not divided is long each time.
 */
export async function longestPieceMs(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < 5 && least >= enoughMs; attempt += 1)
    least = Math.min(least, (await measureLongest(work)) / measureSlowness());
  return least;
}

interface Iteration {
  readonly from: number;
  readonly to: number;
  readonly usedMs: number;
}

async function measureLongest(work: () => Promise<unknown>): Promise<number> {
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const iterations: Iteration[] = [];
  let isDone = false;
  let last = { at: performance.now(), usedMs: processorMs() };
  const measure = (): void => {
    const now = { at: performance.now(), usedMs: processorMs() };
    const iteration = { from: last.at, to: now.at, usedMs: now.usedMs - last.usedMs };
    if (iteration.usedMs > 1) iterations.push(iteration);
    last = now;
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  try {
    await work();
  } finally {
    isDone = true;
    // The observer gets its entries in a later iteration.
    await new Promise((resolve) => setTimeout(resolve, 1));
    collections.push(...observer.takeRecords());
    observer.disconnect();
  }
  const ownMs = ({ from, to, usedMs }: Iteration): number => {
    const inside = collections.filter(({ startTime }) => startTime >= from && startTime < to);
    return usedMs - inside.reduce((sum, { duration }) => sum + duration, 0);
  };
  return Math.max(0, ...iterations.map(ownMs));
}

/** How many times longer this machine takes now than the one of reference, at least 1. */
function measureSlowness(): number {
  const bytes = Buffer.from(JSON.stringify('words and more '.repeat(700_000)));
  const times = Array.from({ length: 3 }, () => {
    const start = processorMs();
    JSON.parse(bytes.toString());
    return processorMs() - start;
  });
  return Math.max(1, Math.min(...times) / referenceMs);
}

/** Processor time of this thread. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
