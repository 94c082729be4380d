import type { Clock } from '../../src/lib/clock.ts';
import type { Sharing } from '../../src/store/sharing.ts';
import type { Store } from '../../src/store/store.ts';

/** @throws if the store shares its records with no other instance */
export function sharingOf({ sharing }: Store): Sharing {
  if (!sharing) throw new Error('the records are not shared');
  return sharing;
}

/** Wraps a store: its shared time is that of this clock. */
export function withSharedClock(clock: Pick<Clock, 'now'>): (store: Store) => Store {
  return (store) => ({ ...store, sharing: store.sharing && { ...store.sharing, now: clock.now } });
}

/** Of a store that could share its records, but is the only one that uses them. */
export function sharingAlone(renewLease: Sharing['renewLease']): Sharing {
  return {
    leaseIntervals: { renewMs: 9000, retryMs: 9000, recoverMs: 3000 },
    now: Date.now,
    renewLease,
    holdsLock: async () => true,
    isAlive: async () => false,
    polls: {
      findResponsive: async () => [],
      claim: async () => undefined,
      find: async () => undefined,
      async release() {},
      async saveRequests() {},
      async endFollowing() {},
      async saveReadings() {},
      findPolled: async (_owner, ids) => ids.map(() => undefined),
      findOwners: async () => [],
    },
  };
}
