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
  /** How long a generation is kept after its end, but never less than keys are; for ever when undefined. */
  readonly generationMs: number | undefined;
  readonly endlessKinds: readonly GenerationKind[];
  readonly onError: (error: unknown, what: string) => void;
}

/** Keeps this instance's lease, settles what dead instances left behind, and deletes what has expired. */
export interface RecordMaintenance {
  /** Resolves once what was left behind is settled: before that nobody should be answered. */
  start(): Promise<void>;
  /** Resolves when nothing of it is under way. */
  close(): Promise<void>;
}

/** A third of the lease, so that one that comes late harms nobody. */
const renewMs = 9_000;
/** A twin of what a dead instance was sending waits for this. */
const recoverMs = 3_000;
const sweepMs = 50_000;
/** Few enough for the others who wait for the records meanwhile. */
const sweepLimit = 200;

export function createRecordMaintenance(options: RecordMaintenanceOptions): RecordMaintenance {
  const { store, clock } = options;
  const cancels = new Map<string, () => void>();
  const underWay = new Set<Promise<void>>();
  let isClosed = false;

  const recover = async (): Promise<void> => {
    const now = clock.now();
    const error = new StreamError('INTERRUPTED', 'The server stopped while this was running.');
    await store.recover({
      unknown: unknownOutcome(now),
      interrupted: { status: 'FAILED', finishedAt: now, isVisible: true, error: toFailure(error) },
    });
  };
  const sweep = async (): Promise<void> => {
    const now = clock.now();
    const { keyMs, generationMs, endlessKinds } = options;
    const expiry = {
      keysBefore: now - keyMs,
      generationsBefore: generationMs === undefined ? undefined : now - Math.max(generationMs, keyMs),
      endlessKinds,
      limit: sweepLimit,
    };
    while (!isClosed && (await store.sweep(expiry)) >= sweepLimit)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const repeat = (what: string, intervalMs: number, act: () => Promise<void>): void => {
    if (isClosed) return;
    cancels.set(
      what,
      clock.after(intervalMs, () => {
        const turn = act()
          .catch((error: unknown) => options.onError(error, what))
          .finally(() => {
            underWay.delete(turn);
            repeat(what, intervalMs, act);
          });
        underWay.add(turn);
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
      await Promise.all(underWay);
    },
  };
}
