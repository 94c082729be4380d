import { throwFirstFailure } from '../lib/throw-first-failure.ts';
import type { FileRecords } from '../store/file-records.ts';
import type { FileStore } from './file-store.ts';

export interface DeleteReleasedOptions {
  readonly records: Pick<FileRecords, 'findDeletions' | 'release' | 'finishDeletions'>;
  readonly fileStore: Pick<FileStore, 'delete'>;
  /** Files that this instance may be writing. */
  readonly isActive: (key: string) => boolean;
  readonly isClosed: () => boolean;
}

const batchSize = 100;

/**
 * Returns a function that deletes from the store what nothing refers to. A crash at any point leaves a note, so the next call
 * continues. So does a failure, after those that may be deleted.
 */
export function createDeletions(options: DeleteReleasedOptions): () => Promise<void> {
  const { records, fileStore, isActive, isClosed } = options;
  /** Notes that remain before the next batch. */
  let skipped = 0;
  const deleteBatch = async (keys: readonly string[]) => {
    const released = await records.release(keys);
    const deletions = await Promise.allSettled(released.map((key) => fileStore.delete(key)));
    const deleted = released.filter((_key, index) => deletions[index]?.status === 'fulfilled');
    await records.finishDeletions(deleted);
    return { deleted, failures: deletions.filter(({ status }) => status === 'rejected') };
  };
  return async () => {
    const allFailures: PromiseSettledResult<void>[] = [];
    while (!isClosed()) {
      const found = await records.findDeletions(batchSize, skipped);
      const keys = found.filter((key) => !isActive(key));
      const { deleted, failures } = await deleteBatch(keys);
      allFailures.push(...failures);
      const isLast = found.length < batchSize;
      skipped = isLast ? 0 : skipped + found.length - keys.length + failures.length;
      // A store that is away would fail for each. The next call continues after these.
      if (isLast || (failures.length > 0 && deleted.length === 0)) break;
    }
    throwFirstFailure(allFailures);
  };
}
