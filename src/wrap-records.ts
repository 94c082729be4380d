import type { Bus } from './bus/bus.ts';
import type { GenerationTraces } from './generations/trace-generations.ts';
import { createOrphanRecovery, type OrphanRecovery, recoverFirst } from './generations/orphan-recovery.ts';
import { publishChanges } from './generations/publish-changes.ts';
import { reportGenerations } from './generations/report-generations.ts';
import type { LoggedCreates } from './generations/logged-creates.ts';
import type { WriteRetries } from './generations/write-retries.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Store } from './store/store.ts';
import { deferTaskSaves } from './tasks/deferred-saves.ts';

export interface WrapOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly traces: GenerationTraces | undefined;
  readonly loggedCreates: LoggedCreates;
  /** The share of streams that are logged when they end well. */
  readonly streamEnds: number;
  readonly onEnd?: (() => void) | undefined;
  readonly bus: Bus;
  readonly writeRetries: WriteRetries;
}

/**
 * The layers around the records, from the inside out: a call passes them from the last to the first. Inside them, the store
 * of the database: `app.ts` measures its operations, and that of SQLite shares out the turns of reads.
 */
export function wrapRecords(
  records: Store,
  { clock, log, bus, writeRetries, ...reporting }: WrapOptions,
): { readonly store: Store; readonly recovery: OrphanRecovery } {
  // Only what is recorded is reported and published.
  const reported = reportGenerations(records, { log, ...reporting });
  const published = publishChanges(reported, bus);
  const deferring = deferTaskSaves(published, {
    clock,
    writeRetries,
    onFailed: (err, taskId) => log.warn({ err, taskId }, 'could not record a reading of a task; retrying'),
  });
  const recovery = createOrphanRecovery({ store: deferring, clock });
  return { store: recoverFirst(deferring, recovery), recovery };
}
