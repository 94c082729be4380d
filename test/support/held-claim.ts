import type { Store } from '../../src/store/store.ts';

/** Wraps a store. A create that has its key waits until the test releases it: its claim is recorded, and nothing is sent. */
export function createHeldClaim() {
  const claimed = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    /** Resolves with the first claim. */
    claimed: claimed.promise,
    release: released.resolve,
    wrapStore: (store: Store): Store => ({
      ...store,
      async claim(...claim) {
        const holder = await store.claim(...claim);
        if (holder) return holder;
        claimed.resolve();
        await released.promise;
        return undefined;
      },
    }),
  };
}
