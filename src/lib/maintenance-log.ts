import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Shortest time between two lines: during an outage all jobs fail, again and again. */
const repeatMs = 60_000;

/** Logs the first failed job, at most one per minute after it, and the end of the failures. */
export function createMaintenanceLog({
  log,
  clock,
  work = 'record maintenance',
}: {
  /** Begins its lines. @default record maintenance */
  readonly work?: string;
  readonly log: Log;
  readonly clock: Clock;
}) {
  const failing = new Set<string>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    onError(err: unknown, job: string): void {
      const isFirst = failing.size === 0;
      failing.add(job);
      if (!isFirst && clock.elapsed() - reportedAt < repeatMs) return;
      reportedAt = clock.elapsed();
      log.error({ err }, `${work} failed: ${job}; retrying`);
    },
    onSuccess(job: string): void {
      if (failing.delete(job) && failing.size === 0) log.info({}, `${work} works again`);
    },
  };
}
