import { LimitReachedError, RecordsFullError } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Store } from './store.ts';

/** Reads that a timer makes many times a second say nothing about the load. */
const unmeasured: ReadonlySet<string> = new Set([
  'createDeadline',
  'secret',
  'stopWaiting',
  'close',
  'isReady',
]);

/** The records worked: they have no room for the owner. */
function isRefusal(error: unknown): boolean {
  return error instanceof LimitReachedError || error instanceof RecordsFullError;
}

/** Wraps a store: records the time of each operation. */
export function measureStore(store: Store, metrics: Metrics, system: 'sqlite' | 'postgresql'): Store {
  const measure = (name: string, method: () => unknown) => {
    const attributes = { 'db.system.name': system, 'db.operation.name': name };
    return async (...args: unknown[]): Promise<unknown> => {
      const startedAt = performance.now();
      const record = (error?: string): void =>
        metrics.record('db.client.operation.duration', (performance.now() - startedAt) / 1000, {
          ...attributes,
          'error.type': error,
        });
      try {
        const result: unknown = await Reflect.apply(method, undefined, args);
        record();
        return result;
      } catch (error) {
        record(isRefusal(error) ? undefined : error instanceof Error ? error.name : 'unknown');
        throw error;
      }
    };
  };
  const measureAll = <Methods extends object>(methods: Methods): Methods => {
    const members = Object.entries(methods).map(([name, member]) => [
      name,
      typeof member === 'function' && !unmeasured.has(name) ? measure(name, member) : member,
    ]);
    return { ...methods, ...Object.fromEntries(members) };
  };
  const { sharing } = store;
  return {
    ...measureAll(store),
    sharing: sharing && { ...sharing, renewLease: measureAll(sharing).renewLease },
  };
}
