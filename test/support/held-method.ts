import type { Store } from '../../src/store/store.ts';
import type { StoreMethod } from './throwing-store.ts';

/** Wraps a store. The calls of one of its methods wait until the test releases them. */
export function createHeldMethod(name: StoreMethod) {
  const called = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    /** Resolves with the first call. */
    called: called.promise,
    release: released.resolve,
    wrapStore(store: Store): Store {
      const method: (...args: never[]) => unknown = store[name];
      return {
        ...store,
        async [name](...args: never[]): Promise<unknown> {
          called.resolve();
          await released.promise;
          return method(...args);
        },
      };
    },
  };
}
