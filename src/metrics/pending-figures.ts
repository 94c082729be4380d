import type { Clock } from '../lib/clock.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { GaugeName } from './instruments.ts';
import type { Metrics } from './metrics.ts';

/** Work in the records that has not been done. */
export interface PendingWork {
  readonly count: number;
  /** Of the oldest, 0 if there is none. */
  readonly ageMs: number;
}

/** Records that do not answer must not hold up the other figures. */
const measureMs = 1000;

/** Observes what waits in the records. Every instance reports the same. */
export function observePending(
  metrics: Metrics,
  names: { readonly count: GaugeName; readonly age: GaugeName },
  { measurePending, clock }: { readonly measurePending: () => Promise<PendingWork>; readonly clock: Clock },
): void {
  let measuring: Promise<PendingWork> | undefined;
  /** Both figures of one collection come from one query. */
  const measure = () => (measuring ??= measurePending().finally(() => (measuring = undefined)));
  const read = async (name: keyof PendingWork): Promise<number> =>
    (await withTimeout(measure(), { clock, timeoutMs: measureMs }))?.[name] ?? Number.NaN;
  metrics.observe(names.count, () => read('count'));
  metrics.observe(names.age, async () => (await read('ageMs')) / 1000);
}
