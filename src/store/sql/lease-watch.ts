import type { Clock } from '../../lib/clock.ts';
import type { InstanceRow } from './tables.ts';

/**
 * Decides whether another instance still renews its lease. Each renewal writes another time, but clocks of processes can be
 * set, so that time is not compared with the clock: a lease has expired if this process saw it unchanged for the lease time.
 */
export interface LeaseWatch {
  isExpired(instance: InstanceRow): boolean;
  /** Forgets all other instances. */
  retain(ids: readonly string[]): void;
}

export function createLeaseWatch({
  clock,
  leaseMs,
}: {
  readonly clock: Clock;
  readonly leaseMs: number;
}): LeaseWatch {
  const seen = new Map<string, { readonly expiresAt: number; readonly since: number }>();
  return {
    isExpired({ id, expires_at }) {
      const last = seen.get(id);
      if (last?.expiresAt === expires_at) return clock.elapsed() - last.since >= leaseMs;
      seen.set(id, { expiresAt: expires_at, since: clock.elapsed() });
      return false;
    },
    retain(ids) {
      for (const id of seen.keys()) if (!ids.includes(id)) seen.delete(id);
    },
  };
}
