import { RecordsUnavailableError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';

/** What a store knows without its records: the secret is read at the start. */
const local: ReadonlySet<string> = new Set(['secret', 'createDeadline', 'stopWaiting', 'close']);

/** Wraps a store whose records a test takes away and brings back. Meanwhile every method fails as without a database. */
export function createAbsentRecords() {
  let isAway = (_method: string): boolean => false;
  /** Calls that failed, by the names of their methods. */
  const failed: string[] = [];
  const guard = (name: string, member: unknown): unknown => {
    if (typeof member !== 'function' || local.has(name)) return member;
    return (...parameters: readonly unknown[]): unknown => {
      if (!isAway(name)) return member(...parameters);
      failed.push(name);
      if (name === 'isReady') return Promise.resolve(false);
      return Promise.reject(
        new RecordsUnavailableError('The record store is unavailable: a test took it away'),
      );
    };
  };
  return {
    // Every member keeps its type.
    wrapStore: (store: Store): Store =>
      Object.fromEntries(
        Object.entries(store).map(([name, member]) => [name, guard(name, member)]),
      ) as unknown as Store,
    failed,
    /** Only these methods fail. @default all */
    takeAway: (...methods: readonly (keyof Store)[]) =>
      void (isAway = (name) => methods.length === 0 || methods.some((method) => method === name)),
    bringBack: () => void (isAway = () => false),
  };
}
