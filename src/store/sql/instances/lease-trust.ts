/**
 * Decides whether another instance has missed the renewal of its lease. After an outage of the database, or a pause of this process, all leases have expired and the others need time to renew them.
 * So this instance judges leases only while it renews its own in time, and waits for one lease time at its start and after
 * every gap.
 */
export function createLeaseTrust({
  leaseMs,
  elapsed,
}: {
  readonly leaseMs: number;
  /** Milliseconds on a monotonic clock that counts pauses of the process. */
  readonly elapsed: () => number;
}) {
  // Longer than the interval of renewals. Without a gap of this length, no other instance can have lost its lease to an outage.
  const gapMs = leaseMs / 2;
  let renewedAt = elapsed();
  let trustedAt = renewedAt + leaseMs;
  return {
    /** @param isExpired whether its lease has expired by the lease clock */
    isOverdue: (isExpired: boolean) => isExpired && elapsed() - renewedAt < gapMs && elapsed() >= trustedAt,
    /** Call after each renewal of the own lease. */
    onRenewed(): void {
      const now = elapsed();
      if (now - renewedAt >= gapMs) trustedAt = now + leaseMs;
      renewedAt = now;
    },
  };
}
