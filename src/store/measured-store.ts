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
  const measured: Record<string, unknown> = { ...store };
  for (const [name, method] of Object.entries(store)) {
    if (typeof method !== 'function' || unmeasured.has(name)) continue;
    const attributes = { 'db.system.name': system, 'db.operation.name': name };
    measured[name] = async (...args: unknown[]): Promise<unknown> => {
      const startedAt = performance.now();
      const record = (error?: string): void =>
        metrics.record('db.client.operation.duration', (performance.now() - startedAt) / 1000, {
          ...attributes,
          'error.type': error,
        });
      try {
        const result: unknown = await Reflect.apply(method, store, args);
        record();
        return result;
      } catch (error) {
        record(isRefusal(error) ? undefined : error instanceof Error ? error.name : 'unknown');
        throw error;
      }
    };
  }
  // Every member has the type that it had before.
  return measured as unknown as Store;
}
