import type { Clock } from '../../../lib/clock.ts';
import type { InstanceRow } from '../shared/tables.ts';

/** A lease, and whether it has expired by the lease clock. */
export interface ReadLease extends InstanceRow {
  readonly is_expired: 0 | 1;
}

/** Decides whether another instance still renews its lease. */
export interface LeaseWatch {
  isExpired(lease: ReadLease): boolean;
  /** Whether a live instance does not renew its lease: its process is frozen, or cut off from the database. */
  isUnresponsive(lease: ReadLease): boolean;
  /** Called after each renewal of the own lease. */
  onRenewed(): void;
  /** Forgets all other instances. */
  retain(ids: readonly string[]): void;
}

/**
 * For leases without a common clock. Each renewal writes another time, but clocks of processes can be set, so that time is not
 * compared with the clock: a lease has expired if this process saw it unchanged for the lease time.
 */
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
    // One server uses the records of a directory, so nobody waits for another one.
    isUnresponsive: () => false,
    onRenewed() {},
    retain(ids) {
      for (const id of seen.keys()) if (!ids.includes(id)) seen.delete(id);
    },
  };
}
