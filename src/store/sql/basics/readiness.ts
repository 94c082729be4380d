import { RecordsUnavailableError } from '../../../errors.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import type { Clock } from '../../../lib/clock.ts';

/** Cache time of an answer, so that frequent readiness probes cost nothing. */
const cacheMs = 3000;

/**
 * After a write failed because the disk is full, a small probe may still have room. Counts until a watched write succeeds, or the
 * disk has more room.
 */
const diskFaultMs = 30_000;
/** More than a create writes. */
const roomBytes = 64 * 2 ** 20;

/** Time for a probe: a load balancer must not wait for as long as a write may. */
const probeMs = 800;

export interface ReadinessOptions {
  readonly clock: Clock;
  /** Writes something. @throws if records cannot be written */
  readonly probeWrite: () => Promise<void>;
  /** Free bytes of the disk. Absent if it belongs to another machine. */
  readonly readFreeBytes?: (() => Promise<number>) | undefined;
}

interface Probe {
  readonly startedAt: number;
  readonly outcome: Promise<boolean>;
  isPending: boolean;
  /** How long the outcome counts. */
  readonly validMs: number;
}

interface DiskFault {
  readonly endsAt: number;
  /** Undefined if it cannot be read. */
  readonly freeBytes: Promise<number | undefined>;
}

/**
 * Checks that records can be written. A read would succeed on a full disk. There is one probe at a time: while it waits for
 * the lock of another process, the store is not ready.
 */
export function createReadiness({ clock, probeWrite, readFreeBytes }: ReadinessOptions) {
  let last: Probe | undefined;
  let fault: DiskFault | undefined;
  let isClosed = false;
  const readFree = async (): Promise<number | undefined> => readFreeBytes?.().catch(() => undefined);
  /** Whether the disk has got room since it was full. */
  const hasRoomSince = async ({ freeBytes }: DiskFault): Promise<boolean> => {
    const [before, now] = await Promise.all([freeBytes, readFree()]);
    return before !== undefined && now !== undefined && now >= before + roomBytes;
  };
  const attempt = async (): Promise<boolean> => {
    const standing = fault && clock.elapsed() < fault.endsAt ? fault : undefined;
    if (standing && !(await hasRoomSince(standing))) return false;
    await probeWrite();
    return true;
  };
  const start = (): Probe => {
    const startedAt = clock.elapsed();
    const outcome = attempt().catch(() => false);
    const faultMs = (fault?.endsAt ?? startedAt) - startedAt;
    const validMs = faultMs > 0 ? Math.min(cacheMs, faultMs) : cacheMs;
    const probe = { startedAt, outcome, isPending: true, validMs };
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
        if (fault) fault = last = undefined;
        return result;
      } catch (error) {
        if (error instanceof RecordsUnavailableError && !error.isLocked) {
          const startedAt = clock.elapsed();
          if (error.isDiskFault) {
            fault = { endsAt: startedAt + diskFaultMs, freeBytes: readFree() };
            last = { startedAt, outcome: Promise.resolve(false), isPending: false, validMs: cacheMs };
          } else if (!last?.isPending) last = undefined;
        }
        throw error;
      }
    },
    close(): void {
      isClosed = true;
    },
  };
}
