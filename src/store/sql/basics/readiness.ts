import { RecordsUnavailableError } from '../../../errors.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import type { Clock } from '../../../lib/clock.ts';

/** Cache time of an answer, so that frequent readiness probes cost nothing. */
const cacheMs = 3000;

/** After a write failed because the disk is full, a small probe may still have room. Counts until a watched write succeeds. */
const diskFaultMs = 30_000;

/** Time for a probe: a load balancer must not wait for as long as a write may. */
const probeMs = 800;

interface Probe {
  readonly startedAt: number;
  readonly outcome: Promise<boolean>;
  isPending: boolean;
  /** How long the outcome counts. */
  readonly validMs: number;
}

/**
 * Checks that records can be written. A read would succeed on a full disk. There is one probe at a time: while it waits for
 * the lock of another process, the store is not ready.
 */
export function createReadiness(
  clock: Clock,
  /** Writes something. @throws if records cannot be written */
  probeWrite: () => Promise<void>,
) {
  let last: Probe | undefined;
  let isClosed = false;
  const start = (): Probe => {
    const outcome = probeWrite().then(
      () => true,
      () => false,
    );
    const probe = { startedAt: clock.elapsed(), outcome, isPending: true, validMs: cacheMs };
    void outcome.then(() => (probe.isPending = false));
    return probe;
  };
  return {
    async isReady(): Promise<boolean> {
      if (isClosed) return false;
      const isOutdated = last && !last.isPending && clock.elapsed() - last.startedAt >= last.validMs;
      const probe = last && !isOutdated ? last : (last = start());
      const remainingMs = probe.startedAt + probeMs - clock.elapsed();
      if (!probe.isPending) return probe.outcome;
      if (remainingMs <= 0) return false;
      return (await withTimeout(probe.outcome, { clock, timeoutMs: remainingMs })) ?? false;
    },
    /** Runs a write of a create or of an end. If it fails, no earlier answer counts. On a full disk, the probe may still have room. */
    async watch<Result>(write: () => Promise<Result>): Promise<Result> {
      try {
        const result = await write();
        if (last?.validMs === diskFaultMs) last = undefined;
        return result;
      } catch (error) {
        if (error instanceof RecordsUnavailableError && !error.isLocked) {
          if (error.isDiskFault)
            last = {
              startedAt: clock.elapsed(),
              outcome: Promise.resolve(false),
              isPending: false,
              validMs: diskFaultMs,
            };
          else if (!last?.isPending) last = undefined;
        }
        throw error;
      }
    },
    close(): void {
      isClosed = true;
    },
  };
}
