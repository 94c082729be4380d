import { setImmediate } from 'node:timers/promises';
import { RateLimitError, RecordsFullError } from '../errors.ts';
import type { Creation, Generation } from '../store/records.ts';
import type { Abandonment, Deadline, Store } from '../store/store.ts';

export interface ClaimWithRoom {
  readonly creation: Creation;
  readonly generation: Generation | undefined;
  readonly deadline: Deadline;
  readonly abandonment: () => Abandonment;
}

/**
 * Claims a create. If its owner is at the limits of its records, deletes the oldest ones first, in small batches.
 * @throws RateLimitError if there is nothing to delete
 */
export async function claimWithRoom(
  store: Store,
  { creation, generation, deadline, abandonment }: ClaimWithRoom,
): Promise<Creation | undefined> {
  for (;;) {
    try {
      return await store.claim(creation, generation, deadline);
    } catch (error) {
      if (!(error instanceof RecordsFullError)) throw error;
    }
    const { hasRoom } = await store.makeRoom(creation.owner, abandonment(), deadline);
    if (!hasRoom) throw await createRefusal(store, creation.owner);
    await setImmediate();
  }
}

async function createRefusal(store: Store, owner: string): Promise<RateLimitError> {
  const { records, bytes } = await store.measureRecords(owner);
  return new RateLimitError(
    `The records of this caller are at their limit (${records} generations, ${bytes} bytes), and none of them has ended. Nothing was sent. Retry when one has ended, or cancel one.`,
    { retryAfterSeconds: 10 },
  );
}
