import type { InstanceState } from './messages-table.ts';

/** Finds instances that died: they need their lock, have no session that holds it, and do not renew their lease. */
export interface Presence {
  /** Returns the instances that have died since the last check. `now` is on the monotonic clock. */
  check(instances: readonly InstanceState[], now: number): readonly InstanceState[];
  /** Forgets everything: the database may have closed the sessions of all instances. */
  reset(): void;
}

/** An instance that loses its session renews its lease at once. */
const absenceMs = 2500;
/** All instances may have lost their sessions together. This is twice the longest interval of reconnects. */
const absenceAfterResetMs = 10_000;

interface Seen {
  readonly expiresAt: string;
  /** Start of its absence. */
  readonly since: number | undefined;
  /** An absence of this length proves that it is dead. */
  readonly limitMs: number;
}

export function createPresence(instanceId: string): Presence {
  /** The instances of the last check. */
  let known = new Map<string, Seen>();
  let firstLimitMs = absenceMs;
  return {
    check(instances, now) {
      const next: typeof known = new Map();
      const dead: InstanceState[] = [];
      for (const instance of instances) {
        const { id, expires_at: expiresAt, is_connected: isConnected, needs_lock: needsLock } = instance;
        const before = known.get(id);
        if (id === instanceId) continue;
        const isAbsent = needsLock && !isConnected && (!before || before.expiresAt === expiresAt);
        const since = isAbsent ? (before?.since ?? now) : undefined;
        const limitMs = isConnected ? absenceMs : (before?.limitMs ?? firstLimitMs);
        if (since !== undefined && now - since >= limitMs) dead.push(instance);
        else next.set(id, { expiresAt, limitMs, since });
      }
      known = next;
      return dead;
    },
    reset() {
      known = new Map();
      firstLimitMs = absenceAfterResetMs;
    },
  };
}
