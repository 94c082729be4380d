import type { Store } from '../../src/store/store.ts';
import type { StoreMethod } from './throwing-store.ts';

/** Wraps a store. The calls of one of its methods wait until the test releases them. */
export function createHeldMethod(name: StoreMethod) {
  const called = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let calls = 0;
  return {
    /** Resolves with the first call. */
    called: called.promise,
    get calls(): number {
      return calls;
    },
    release: released.resolve,
    wrapStore(store: Store): Store {
      const method: (...args: never[]) => unknown = store[name];
      return {
        ...store,
        async [name](...args: never[]): Promise<unknown> {
          calls += 1;
          called.resolve();
          await released.promise;
          return method(...args);
        },
      };
    },
  };
}
