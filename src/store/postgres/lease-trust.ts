import type { LeaseWatch, ReadLease } from '../sql/instances/lease-watch.ts';

/**
 * Decides when an expired lease proves that an instance without a lock is dead. After an outage of the database, or a pause of
 * this process, all leases have expired and the others need time to renew them. So this instance judges leases only while it
 * renews its own in time, and waits for one lease time at its start and after every gap.
 */
export function createLeaseTrust({
  leaseMs,
  elapsed,
}: {
  readonly leaseMs: number;
  /** Milliseconds on a monotonic clock that counts pauses of the process. */
  readonly elapsed: () => number;
}): LeaseWatch {
  // Longer than the interval of renewals. Without a gap of this length, no other instance can have lost its lease to an outage.
  const gapMs = leaseMs / 2;
  let renewedAt = elapsed();
  let trustedAt = renewedAt + leaseMs;
  const isOverdue = ({ is_expired }: ReadLease): boolean =>
    is_expired === 1 && elapsed() - renewedAt < gapMs && elapsed() >= trustedAt;
  return {
    isExpired: isOverdue,
    isUnresponsive: isOverdue,
    onRenewed() {
      const now = elapsed();
      if (now - renewedAt >= gapMs) trustedAt = now + leaseMs;
      renewedAt = now;
    },
    retain() {},
  };
}
