import { LRUCache } from 'lru-cache';
import { RecordsUnavailableError } from '../../errors.ts';
import type { AcceptedCallers } from '../../gateway/accepted-callers.ts';
import type { Caller } from '../../gateway/caller.ts';
import { acceptedStatuses } from '../../generations/accepted-statuses.ts';
import { limitEntries } from '../../lib/cache-limits.ts';
import type { Clock } from '../../lib/clock.ts';
import { createQueues } from '../../lib/fairness/queues.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Store } from '../../store/store.ts';
import type { TokenBuckets } from './token-buckets.ts';

export interface RecallCallersOptions {
  readonly store: Pick<Store, 'hasGenerations'>;
  readonly acceptedCallers: AcceptedCallers;
  /** How many callers of an address may be looked up. Any text could be a credential. */
  readonly rate: TokenBuckets;
  readonly clock: Clock;
}

/**
 * Looks once for records that show that the gateway accepted a caller before this process started. Undefined if there is nothing
 * to wait for. Never rejects.
 */
export type RecallCaller = (caller: Caller, address: string) => Promise<void> | undefined;

/** Owners that were looked up. */
const maxOwners = 20_000;
const maxConcurrent = 8;
const maxPending = 2000;
/** Short: while the records are unavailable, it adds to the wait of an operation for them. A later operation finds the result. */
const waitMs = 100;

export function createRecallCaller(options: RecallCallersOptions): RecallCaller {
  const { store, acceptedCallers, rate, clock } = options;
  const lookups = new LRUCache<string, Promise<void> | true>(limitEntries(maxOwners));
  const queue = createQueues(maxConcurrent);
  let pending = 0;

  const lookUp = async (caller: Caller): Promise<void> => {
    const { owner } = caller;
    pending += 1;
    try {
      if (await queue('', () => store.hasGenerations(owner, { statuses: acceptedStatuses })))
        acceptedCallers.add(caller);
      lookups.set(owner, true);
    } catch (error) {
      lookups.delete(owner);
      if (!(error instanceof RecordsUnavailableError)) throw error;
    } finally {
      pending -= 1;
    }
  };

  return (caller, address) => {
    if (caller.heldKey || acceptedCallers.has(caller)) return undefined;
    const known = lookups.get(caller.owner);
    if (known === true) return undefined;
    if (!known && (pending >= maxPending || rate.take(address) !== undefined)) return undefined;
    const lookup = known ?? lookUp(caller).catch(() => {});
    if (!known) lookups.set(caller.owner, lookup);
    return withTimeout(lookup, { clock, timeoutMs: waitMs });
  };
}
