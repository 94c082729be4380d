import { acceptedStatuses } from '../generations/accepted-statuses.ts';
import { type BudgetOptions, createBudget } from '../lib/budget.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs, hourMs } from '../lib/time.ts';
import type { FileLimits } from '../store/file-records.ts';
import type { Store } from '../store/store.ts';

export interface UnknownOwnersOptions {
  readonly store: Pick<Store, 'hasGenerations'>;
  readonly limits: FileLimits & { readonly maxBytes: number };
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** Whether this owner may use so much. Owners who have made something always may. */
export type Allowance = (owner: string, amount: number) => Promise<boolean>;

const hourlyUploads = 10_000;
/** Of all stored bytes, in a day. */
const dailyShare = 1 / 16;

/**
 * What owners who have made nothing yet may use together. An upload costs nothing, and any text could be a credential, so a limit
 * of each owner would limit nobody.
 */
export function createUnknownOwners(options: UnknownOwnersOptions) {
  const { limits } = options;
  const dailyBytes = Math.max(limits.maxBytes, limits.maxTotalBytes * dailyShare);
  return {
    /** Uploads that are prepared: each is a record for a day. */
    mayPrepare: createAllowance(options, { max: hourlyUploads, periodMs: hourMs }),
    /** Bytes that the store takes before this server counts them. */
    mayDeclare: createAllowance(options, { max: dailyBytes, periodMs: dayMs }),
    /** Stored bytes of other owners. */
    mayRemove: createAllowance(options, { max: dailyBytes, periodMs: dayMs }),
  };
}

function createAllowance(
  { store, clock }: UnknownOwnersOptions,
  limits: Pick<BudgetOptions, 'max' | 'periodMs'>,
): Allowance {
  const budget = createBudget({ ...limits, clock });
  return async (owner, amount) =>
    (await store.hasGenerations(owner, { statuses: acceptedStatuses })) || budget.take(amount);
}
