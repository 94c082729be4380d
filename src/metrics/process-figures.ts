import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

const nanosecondsPerSecond = 1e9;
const resolutionMs = 10;

/** Figures of the Node process. */
export function observeProcess(metrics: Metrics): void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const toSeconds = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / nanosecondsPerSecond - resolutionMs / 1000);
  metrics.observe('nodejs.eventloop.delay.p99', () => toSeconds(delays.percentile(99)));
  metrics.observe('nodejs.eventloop.delay.max', () => {
    const longest = toSeconds(delays.max);
    // Collected after the percentile, in the order of registration.
    delays.reset();
    return longest;
  });
  let before = performance.eventLoopUtilization();
  metrics.observe('nodejs.eventloop.utilization', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  });
  metrics.observe('process.uptime', () => process.uptime());
  metrics.observe('process.memory.usage', () => process.memoryUsage.rss());
  metrics.observe('v8js.memory.heap.used', () => process.memoryUsage().heapUsed);
}
