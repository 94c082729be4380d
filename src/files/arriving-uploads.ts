import { RateLimitError } from '../errors.ts';
import { acceptedStatuses } from '../generations/accepted-statuses.ts';
import { Tally } from '../lib/fairness/tally.ts';
import type { FileLimits, Upload } from '../store/file-records.ts';
import type { Store } from '../store/store.ts';

export interface ArrivingUploadsOptions {
  readonly store: Pick<Store, 'hasGenerations'>;
  readonly limits: FileLimits & { readonly maxBytes: number };
  /** As many of the largest files may arrive at the same time, but at least four. */
  readonly maxCopies: number;
}

/** Returns the function that ends the reservation. @throws RateLimitError if too many bytes arrive */
export type ReserveArrival = (upload: Pick<Upload, 'owner' | 'sizeBytes'>) => Promise<() => void>;

/** One of several processes may have a share of one copy. */
const minFiles = 4;
/** Largest part of all bytes for one owner. */
const ownerShare = 1 / 4;
/** Largest part for all owners who have made nothing yet: an upload costs nothing, and any text could be a credential. */
const unknownShare = 1 / 2;

const retryAfterSeconds = 10;

/** Limits the bytes of the uploads that arrive at the same time: until it is stored, each occupies the disk of `FILES_DIR`. */
export function createArrivingUploads({ store, limits, maxCopies }: ArrivingUploadsOptions): ReserveArrival {
  const maxBytes = limits.maxBytes * Math.max(maxCopies, minFiles);
  const atLeastOne = (share: number): number => Math.max(limits.maxBytes, maxBytes * share);
  const arriving = new Tally();
  let unknownBytes = 0;
  return async ({ owner, sizeBytes }) => {
    const isKnown = await store.hasGenerations(owner, { statuses: acceptedStatuses });
    const add = (bytes: number): void => {
      arriving.add(owner, bytes);
      if (!isKnown) unknownBytes += bytes;
    };
    add(sizeBytes);
    const isOver =
      arriving.total > maxBytes ||
      arriving.of(owner) > atLeastOne(ownerShare) ||
      (!isKnown && unknownBytes > atLeastOne(unknownShare));
    if (!isOver) return () => add(-sizeBytes);
    add(-sizeBytes);
    throw new RateLimitError('Too many bytes of uploads arrive at the same time. Retry.', {
      retryAfterSeconds,
      setting: 'FILES_COPIES',
    });
  };
}
