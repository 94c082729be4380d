import type { InstanceState } from './messages-table.ts';

/** Finds instances that died: they have no session, and do not renew their lease. */
export interface Presence {
  /** Returns the instances that have died since the last check. `now` is on the monotonic clock. */
  check(instances: readonly InstanceState[], now: number): readonly InstanceState[];
  /** Forgets everything: the database may have closed the sessions of all instances. */
  reset(): void;
}

/**
 * An instance without a session reconnects sooner, and renews its lease every second until then. One that starts may be slower,
 * but has no work yet.
 */
const absenceMs = 2500;

export function createPresence(instanceId: string): Presence {
  /** The instances of the last check, with the start of their absence. */
  let known = new Map<string, { readonly since?: number; readonly expiresAt: string }>();
  return {
    check(instances, now) {
      const next: typeof known = new Map();
      const dead: InstanceState[] = [];
      for (const instance of instances) {
        const { id, expires_at: expiresAt, is_connected: isConnected } = instance;
        const before = known.get(id);
        if (id === instanceId) continue;
        const isAbsent = !isConnected && (!before || before.expiresAt === expiresAt);
        const since = isAbsent ? (before?.since ?? now) : undefined;
        if (since !== undefined && now - since >= absenceMs) dead.push(instance);
        else next.set(id, { expiresAt, ...(since !== undefined && { since }) });
      }
      known = next;
      return dead;
    },
    reset() {
      known = new Map();
    },
  };
}
