import { within } from '../../lib/within.ts';
import type { SqlStoreOptions } from './sql-store.ts';

/** Cache time of an answer, so that frequent readiness probes cost nothing. */
const cacheMs = 3000;

/** Time for a probe: a load balancer must not wait for as long as a write may. */
const probeMs = 800;

export interface Readiness {
  isReady(): Promise<boolean>;
  close(): void;
}

interface Probe {
  readonly startedAt: number;
  readonly outcome: Promise<boolean>;
  isPending: boolean;
}

/**
 * Checks that records can be written by renewing the lease. A read would succeed on a full disk. There is one probe at a
 * time: while it waits for the lock of another process, the store is not ready.
 */
export function createReadiness(
  { clock }: Pick<SqlStoreOptions, 'clock'>,
  renewLease: () => Promise<void>,
): Readiness {
  let last: Probe | undefined;
  let isClosed = false;
  const start = (): Probe => {
    const outcome = renewLease().then(
      () => true,
      () => false,
    );
    const probe = { startedAt: clock.elapsed(), outcome, isPending: true };
    void outcome.then(() => (probe.isPending = false));
    return probe;
  };
  return {
    async isReady() {
      if (isClosed) return false;
      const isOutdated = last && !last.isPending && clock.elapsed() - last.startedAt >= cacheMs;
      const probe = last && !isOutdated ? last : (last = start());
      const remainingMs = probe.startedAt + probeMs - clock.elapsed();
      if (!probe.isPending) return probe.outcome;
      if (remainingMs <= 0) return false;
      return (await within(probe.outcome, { clock, timeoutMs: remainingMs })) ?? false;
    },
    close() {
      isClosed = true;
    },
  };
}
