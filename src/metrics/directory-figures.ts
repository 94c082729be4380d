import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Clock } from '../lib/clock.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Metrics } from './metrics.ts';

/** A file system that does not answer must not hold up the other figures. */
const timeoutMs = 1000;

/** Figures of the file system of a directory, read when the figures are collected. */
export function observeDirectory(metrics: Metrics, directory: string, clock: Clock): void {
  let reading: Promise<StatsFs> | undefined;
  /** At most one at a time: each takes a thread of the pool until the file system answers. */
  const read = () => (reading ??= statfs(directory).finally(() => (reading = undefined)));
  const sizeOf = async (part: 'bavail' | 'blocks'): Promise<number> => {
    const figures = await withTimeout(read(), { clock, timeoutMs }).catch(() => undefined);
    return figures === undefined ? Number.NaN : figures[part] * figures.bsize;
  };
  metrics.observe('gengraph.data.free', () => sizeOf('bavail'));
  metrics.observe('gengraph.data.size', () => sizeOf('blocks'));
}
