import { StreamError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { GenerationKind } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { unknownOutcome } from './create-once.ts';
import { toFailure } from './failure.ts';

export interface RecordMaintenanceOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** How long an idempotency key is kept. */
  readonly keyMs: number;
  /** How long a generation is kept after its end: at least `keyMs`, forever when undefined. */
  readonly generationMs: number | undefined;
  /** Kinds whose end cannot be read: their age counts from their creation. */
  readonly untrackableKinds: readonly GenerationKind[];
  /** `job` names the failed job in the log. The job runs again at its next interval. */
  readonly onError: (error: unknown, job: string) => void;
}

/** Renews this instance's lease, recovers the work of dead instances, and deletes expired records. */
export interface RecordMaintenance {
  /** Resolves when the work of dead instances is settled. Accept no requests before that. */
  start(): Promise<void>;
  /** Stops all jobs. Resolves when none is running. */
  close(): Promise<void>;
}

/** A third of the lease, so that one late renewal does not lose it. */
const renewMs = 9_000;
/** Short, because a duplicate of a create that a dead instance was sending waits for the recovery. */
const recoverMs = 3_000;
const sweepMs = 50_000;
/** Keeps each deletion short, because other users of the records wait for it. */
const sweepLimit = 200;

export function createRecordMaintenance(options: RecordMaintenanceOptions): RecordMaintenance {
  const { store, clock } = options;
  const cancels = new Map<string, () => void>();
  const running = new Set<Promise<void>>();
  let isClosed = false;

  const recover = async (): Promise<void> => {
    const now = clock.now();
    const error = new StreamError('INTERRUPTED', 'The server stopped while this generation was running.');
    await store.recover({
      unknown: unknownOutcome(now),
      interrupted: { status: 'FAILED', finishedAt: now, isVisible: true, error: toFailure(error) },
    });
  };
  const sweep = async (): Promise<void> => {
    const now = clock.now();
    const { keyMs, generationMs, untrackableKinds } = options;
    const expiry = {
      keysBefore: now - keyMs,
      generationsBefore: generationMs === undefined ? undefined : now - Math.max(generationMs, keyMs),
      untrackableKinds,
      limit: sweepLimit,
    };
    while (!isClosed && (await store.sweep(expiry)).deleted >= sweepLimit)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const repeat = (job: string, intervalMs: number, run: () => Promise<void>): void => {
    if (isClosed) return;
    cancels.set(
      job,
      clock.after(intervalMs, () => {
        const finished = run()
          .catch((error: unknown) => options.onError(error, job))
          .finally(() => {
            running.delete(finished);
            repeat(job, intervalMs, run);
          });
        running.add(finished);
      }),
    );
  };

  return {
    async start() {
      await recover();
      repeat('renewing the lease', renewMs, () => store.renewLease());
      repeat('recovering', recoverMs, recover);
      repeat('sweeping', sweepMs, sweep);
    },
    async close() {
      isClosed = true;
      for (const cancel of cancels.values()) cancel();
      await Promise.all(running);
    },
  };
}
