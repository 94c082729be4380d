import { acceptedStatuses } from '../generations/accepted-statuses.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs } from '../lib/time.ts';
import type { FileLimits } from '../store/file-records.ts';
import type { Store } from '../store/store.ts';
import type { StoreFileOptions } from './copy-file.ts';

export interface RoomForUploadsOptions {
  readonly store: Pick<Store, 'hasGenerations'>;
  readonly limits: FileLimits & { readonly maxBytes: number };
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** Of all stored bytes, what uploads of unknown owners may remove or declare in a day. */
const dailyShare = 1 / 16;

/**
 * Decides which uploads may use the room of other owners. An upload costs nothing, and any text could be a credential, so
 * owners who have made nothing yet have only a part of the stored bytes together.
 */
export function createRoomForUploads({
  store,
  limits,
  clock,
}: RoomForUploadsOptions): NonNullable<StoreFileOptions['mayRemove']> {
  const dailyBytes = Math.max(limits.maxBytes, limits.maxTotalBytes * dailyShare);
  let bytesLeft = dailyBytes;
  let countedAt = clock.elapsed();
  return async (owner, bytes) => {
    if (await store.hasGenerations(owner, { statuses: acceptedStatuses })) return true;
    const now = clock.elapsed();
    bytesLeft = Math.min(dailyBytes, bytesLeft + ((now - countedAt) / dayMs) * dailyBytes);
    countedAt = now;
    if (bytes > bytesLeft) return false;
    bytesLeft -= bytes;
    return true;
  };
}
