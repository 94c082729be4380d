import type { Store } from '../../src/store/store.ts';

export type StoreMethod = {
  [Name in keyof Store]-?: Store[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Store];

/** Wraps a store. One of its methods throws a defect from `throwNow` on. */
export function createThrowingStore(name: StoreMethod) {
  let isThrowing = false;
  return {
    wrapStore(store: Store): Store {
      const method: (...args: never[]) => unknown = store[name];
      return {
        ...store,
        [name](...args: never[]): unknown {
          if (isThrowing) throw new TypeError('a defect of the test');
          return method(...args);
        },
      };
    },
    throwNow(): void {
      isThrowing = true;
    },
  };
}
