import { setImmediate } from 'node:timers/promises';
import type { CallerLimits } from '../caller-limits.ts';
import { LimitReachedError, RateLimitError, RecordsFullError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Creation, Generation } from '../store/records.ts';
import type { Abandonment, Deadline, Store } from '../store/store.ts';
import { claimRefused } from './kept-refusals.ts';
import { toRateLimitError } from './limit-refusal.ts';

export interface ClaimWithRoom {
  readonly creation: Creation;
  readonly generation?: Generation | undefined;
  readonly deadline: Deadline;
  readonly abandonment: () => Abandonment;
  /** Of the owner. Undefined if there are none. */
  readonly limits?: CallerLimits | undefined;
  readonly clock: Clock;
  /** Whether a refusal claims the key: its client may have sent the create to another server, too. */
  readonly keepsRefusal: () => boolean;
}

/**
 * Claims a create. If its owner is at the limits of its records, deletes the oldest ones first, in small batches.
 * @throws RateLimitError if there is nothing to delete, or if the owner has used another limit
 */
export async function claimWithRoom(store: Store, claim: ClaimWithRoom): Promise<Creation | undefined> {
  try {
    return await claimInRoom(store, claim);
  } catch (error) {
    // Without other servers, this process holds the only attempt.
    if (!(error instanceof RateLimitError) || !store.sharing || !claim.keepsRefusal()) throw error;
    const holder = await claimRefused(store, claim.creation, { ...claim, error });
    if (holder) return holder;
    throw error;
  }
}

async function claimInRoom(
  store: Store,
  { creation, generation, deadline, abandonment, limits, clock }: Omit<ClaimWithRoom, 'keepsRefusal'>,
): Promise<Creation | undefined> {
  for (;;) {
    try {
      const quota = limits && { limits, abandonment: abandonment() };
      return await store.claim(creation, generation, { deadline, quota });
    } catch (error) {
      if (error instanceof LimitReachedError) throw toRateLimitError(error.use, clock.now());
      if (!(error instanceof RecordsFullError)) throw error;
    }
    const { hasRoom } = await store.makeRoom(creation.owner, {
      abandonment: abandonment(),
      deadline,
      keptRootId: generation?.turn?.rootId,
    });
    if (!hasRoom) throw await createRefusal(store, creation.owner);
    await setImmediate();
  }
}

async function createRefusal(store: Store, owner: string): Promise<RateLimitError> {
  const { records, bytes } = await store.measureRecords(owner);
  return new RateLimitError(
    `The records of this caller are at their limit (${records} generations, ${bytes} bytes), and none of them has ended. Nothing was sent. Retry when one has ended, or cancel one.`,
    { retryAfterSeconds: 10, limit: 'RECORDS' },
  );
}
