import type { Clock } from '../lib/clock.ts';
import { inBatches } from '../lib/in-batches.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { Abandonment, Store } from '../store/store.ts';
import { keptMs } from '../store/changes.ts';
import { unusedWebhookMs } from '../store/webhook-records.ts';
import { createExpiredBefore } from './expired-before.ts';
import type { OrphanRecovery } from './orphan-recovery.ts';

export interface RecordMaintenanceOptions {
  readonly store: Store;
  /** Over the same store. Stopped with the other jobs. */
  readonly recovery: OrphanRecovery;
  readonly clock: Clock;
  /** How long an idempotency key is kept. */
  readonly keyMs: number;
  /** How long a generation is kept after its end: at least `keyMs`, forever when undefined. */
  readonly generationMs: number | undefined;
  readonly abandonment: () => Abandonment;
  /** Whether the owners whom the server's key serves have signed in. @default false */
  readonly areHeldOwnersVerified?: boolean;
  /** Takes over the polls of dead instances. Absent if the records are not shared. */
  readonly checkPolls?: (() => Promise<void>) | undefined;
  /** `job` names the failed job in the log. The job runs again at its next interval. */
  readonly onError: (error: unknown, job: string) => void;
  readonly onSuccess?: ((job: string) => void) | undefined;
}

/**
 * Recovers the work of dead instances and deletes expired records. Renews this instance's lease if it shares its records;
 * otherwise the work of earlier instances is recovered once, at the start.
 */
export interface RecordMaintenance {
  /** Resolves when the work of dead instances is found. Accept no requests before that. It is settled in the background. */
  start(): Promise<void>;
  /** Stops all jobs. Resolves when none is running. */
  close(): Promise<void>;
}

interface Job {
  readonly name: string;
  readonly intervalMs: number;
  /** After a failure. @default `intervalMs` */
  readonly retryMs?: number;
  /** Returns true if the job is done for good. */
  readonly run: () => Promise<boolean | void>;
}

/** A takeover of polls takes at most the lease, this interval and one poll. */
const pollsMs = 5000;
const sweepMs = 50_000;
/** How long a refusal answers repeated operations. Longer than the stock client retries with the options of `client/reconnecting.ts`. */
const refusedMs = 600_000;
/** Until the work of earlier instances is recovered, if the records are not shared. */
const recoverMs = 3000;
/** Keeps each deletion short, because other users of the records wait for it. */
const sweepLimit = 200;

export function createRecordMaintenance(options: RecordMaintenanceOptions): RecordMaintenance {
  const { store, recovery, clock } = options;
  const { sharing } = store;
  const cancels = new Map<string, () => void>();
  const running = createInFlight();
  let isClosed = false;

  const recover = async (): Promise<boolean> => {
    const orphans = await recovery.find();
    await recovery.run();
    // What could not be settled is found again. Without other instances, nothing is orphaned later.
    return orphans === 0 && !sharing;
  };
  const { keyMs, generationMs } = options;
  const keysBefore = createExpiredBefore(clock, keyMs);
  const refusedBefore = createExpiredBefore(clock, refusedMs);
  const generationsBefore =
    generationMs === undefined ? undefined : createExpiredBefore(clock, Math.max(generationMs, keyMs));
  const changesBefore = createExpiredBefore(clock, keptMs);
  const webhooksBefore = createExpiredBefore(clock, unusedWebhookMs);
  const sweep = async (): Promise<void> => {
    const expired = {
      keysBefore: keysBefore(),
      refusedBefore: refusedBefore(),
      generationsBefore: generationsBefore?.(),
      changesBefore: changesBefore(),
      webhooksBefore: webhooksBefore(),
      areHeldOwnersVerified: options.areHeldOwnersVerified,
      ...options.abandonment(),
    };
    await inBatches(
      { size: sweepLimit, isStopped: () => isClosed },
      async (limit) => (await store.sweep({ ...expired, limit })).deleted,
    );
  };
  const attempt = async (job: Job, run: Job['run']): Promise<void> => {
    const { name, intervalMs, retryMs = intervalMs } = job;
    try {
      const isDone = await run();
      options.onSuccess?.(name);
      if (isDone !== true) schedule(job, intervalMs);
    } catch (error) {
      options.onError(error, name);
      schedule(job, retryMs);
    }
  };
  const start = (job: Job, run = job.run): void => void running.run(() => attempt(job, run));
  const schedule = (job: Job, delayMs = job.intervalMs): void => {
    if (!isClosed)
      cancels.set(
        job.name,
        clock.after(delayMs, () => start(job)),
      );
  };

  return {
    async start() {
      const orphans = await recovery.find();
      schedule({ name: 'sweeping', intervalMs: sweepMs, run: sweep });
      const recovering = { name: 'recovering', intervalMs: sharing?.leaseIntervals.recoverMs ?? recoverMs };
      if (sharing || orphans > 0) start({ ...recovering, run: recover }, recovery.run);
      if (options.checkPolls)
        start({ name: 'taking over polls', intervalMs: pollsMs, run: options.checkPolls });
      if (!sharing) return;
      const { leaseIntervals, renewLease } = sharing;
      const { renewMs, retryMs } = leaseIntervals;
      schedule({ name: 'renewing the lease', intervalMs: renewMs, retryMs, run: renewLease });
    },
    async close() {
      isClosed = true;
      recovery.stop();
      for (const cancel of cancels.values()) cancel();
      await running.waitUntilIdle();
    },
  };
}
