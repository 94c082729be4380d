import { ExpectedError, RecordsUnavailableError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { GenerationFailure, Release } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WriteRetries } from './write-retries.ts';

/** Releases the keys of creates that were not charged. Retries while the store cannot write. */
export interface KeyReleases {
  /** Never rejects: the caller must receive the error of its create, not an error of the store. */
  release(creationId: string, options: Release): Promise<void>;
  /** Like `release`, for a create that has its key and is not sent. The key counts as overdue until then. */
  releaseUnsent(creationId: string, failure: GenerationFailure): Promise<void>;
  /**
   * Releases the key in the background if its claim fails: nothing was sent, but the claim may have been written. The key counts
   * as overdue until then.
   */
  releaseOnFailure<Claimed>(creationId: string, claimed: Promise<Claimed>): Promise<Claimed>;
  /** Call before a claim. @throws RecordsUnavailableError while too many keys are overdue, as in a long outage of the records */
  assertRoom(): void;
  /**
   * Releases a key for a new create if its creation holds it only because its release could not be recorded yet. Returns whether
   * that was so. @throws RecordsUnavailableError when the store still cannot be written
   */
  releaseOverdue(creationId: string): Promise<boolean>;
}

/** Together they take about 10 MB. */
const maxOverdue = 20_000;

/** The end of a create that another instance has told clients as unknown meanwhile: its claim was written. */
const unsent: GenerationFailure = {
  code: 'INTERNAL',
  message: 'The server could not access its records. This create was not sent.',
  retry: 'LATER',
};

export function createKeyReleases(
  store: Store,
  writeRetries: WriteRetries,
  clock: Pick<Clock, 'now'>,
): KeyReleases {
  const overdue = new Map<string, Release>();
  const write = async (creationId: string, options: Release): Promise<void> => {
    await store.release(creationId, options);
    overdue.delete(creationId);
  };
  const releaseLater = (creationId: string, options: Release): void => {
    overdue.set(creationId, options);
    writeRetries.add('the release of a key', () => write(creationId, options), { canWait: true });
  };
  const unsentWith = (failure: GenerationFailure): Release => ({
    isUnsent: true,
    refusal: { failure, at: clock.now(), keepsKey: false },
  });
  const release = async (creationId: string, options: Release): Promise<void> => {
    try {
      await write(creationId, options);
    } catch {
      releaseLater(creationId, options);
    }
  };
  return {
    release,
    releaseUnsent(creationId, failure) {
      const options = unsentWith(failure);
      // At once: a duplicate must not take it for one whose outcome is unknown.
      overdue.set(creationId, options);
      return release(creationId, options);
    },
    async releaseOnFailure(creationId, claimed) {
      try {
        return await claimed;
      } catch (error) {
        if (!(error instanceof ExpectedError)) releaseLater(creationId, unsentWith(unsent));
        throw error;
      }
    },
    assertRoom() {
      if (overdue.size >= maxOverdue)
        throw new RecordsUnavailableError(
          'The record store is unavailable: the keys of too many failed creates wait for their release',
        );
    },
    async releaseOverdue(creationId) {
      const options = overdue.get(creationId);
      if (options) await write(creationId, options);
      return options !== undefined;
    },
  };
}
