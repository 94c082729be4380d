import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { CallbackRecord, CallbackRecords } from '../../store/callback-records.ts';
import type { CallbackSubscription } from './callback-subscription.ts';

export interface TakeoversOptions {
  readonly records: CallbackRecords;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** Those that this instance posts. */
  readonly subscriptions: ReadonlyMap<string, CallbackSubscription>;
  /** The ids of those that it records now. */
  readonly opening: ReadonlySet<string>;
  /** Continues a subscription that this instance has taken. False if it cannot: its address is not listed, or unreadable. */
  readonly begin: (record: CallbackRecord) => boolean;
}

/** Subscriptions of one statement. Other instances take the rest. */
const batch = 100;
/** Until a single instance has taken those of the process before it. */
const retryMs = 1000;

/** Keeps the lease of this instance, and takes the subscriptions of instances that have lost theirs. */
export function createTakeovers(options: TakeoversOptions) {
  const { records, clock, log, metrics, subscriptions, opening } = options;
  const { lease } = records;
  const intervalMs = lease?.intervalMs ?? retryMs;
  let state: 'new' | 'running' | 'offered' | 'closed' = 'new';
  let cancel: (() => void) | undefined;
  let isFailing = false;
  /** Whether a takeover failed, but may have been written: this instance may hold what it does not post. */
  let isUnsure = false;
  let renewedAt = performance.now();

  const beginAll = async (taken: readonly CallbackRecord[]): Promise<void> => {
    const others = taken.filter((record) => !options.begin(record));
    const begun = taken.length - others.length;
    if (begun > 0) {
      log.info({ count: begun }, 'took over callback subscriptions');
      metrics?.add('gengraph.callback.takeovers', begun);
    }
    for (const { id } of others) await records.remove(id);
    if (others.length > 0)
      log.warn(
        { count: others.length },
        'ended callback subscriptions whose address is not in CALLBACK_URLS or unreadable',
      );
  };
  const beginUnknown = async (): Promise<void> => {
    const isUnknown = (id: string): boolean => !subscriptions.has(id) && !opening.has(id);
    for (const id of await records.findHeld()) {
      const record = isUnknown(id) ? await records.find(id) : undefined;
      if (record && isUnknown(id)) await beginAll([record]);
    }
  };
  const takeAll = async (): Promise<void> => {
    if (isUnsure) await beginUnknown();
    isUnsure = true;
    for (let isRest = false; !isRest;) {
      const taken = await records.takeOver(batch);
      await beginAll(taken);
      isRest = taken.length < batch || state !== 'running';
    }
    isUnsure = false;
  };
  /** Ends what another instance has taken while this one was slow, or after it offered its subscriptions. */
  const dropLost = async (): Promise<void> => {
    const before = [...subscriptions.values()];
    const held = await records.findHeld();
    for (const subscription of before) if (!held.has(subscription.id)) subscription.drop();
  };
  const renew = async (): Promise<void> => {
    if (!lease) return;
    // Counts pauses of the process.
    const now = performance.now();
    const isLate = now - renewedAt > 2 * intervalMs;
    if (state === 'running' && subscriptions.size > 0) await lease.renew();
    renewedAt = now;
    if (subscriptions.size > 0 && (isLate || state === 'offered')) await dropLost();
  };
  const run = async (): Promise<void> => {
    await renew();
    if (state === 'running' && (isUnsure || !lease || (await lease.hasFree()))) await takeAll();
  };
  const tick = (): void => {
    run().then(
      () => {
        isFailing = false;
        // A single instance has taken all.
        if (lease) schedule();
      },
      (err: unknown) => {
        if (!isFailing) log.warn({ err }, 'could not look for callback subscriptions to take over; retrying');
        isFailing = true;
        schedule();
      },
    );
  };
  const schedule = (): void => {
    if (state !== 'closed') cancel = clock.after(intervalMs, tick);
  };
  return {
    start(): void {
      state = 'running';
      tick();
    },
    /** Gives up the lease. The subscriptions go on until another instance has taken them. */
    async offer(): Promise<void> {
      if (state === 'running') state = 'offered';
      // Otherwise the lease expires.
      await lease?.offer().catch(() => {});
    },
    close(): void {
      state = 'closed';
      cancel?.();
    },
  };
}
