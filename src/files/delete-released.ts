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

/** Deletes from the store what nothing refers to. A crash at any point leaves a note, so the next round continues. */
export async function deleteReleased(options: DeleteReleasedOptions): Promise<void> {
  const { records, fileStore, isActive, isClosed } = options;
  while (!isClosed()) {
    const found = await records.findDeletions(batchSize);
    const keys = found.filter((key) => !isActive(key));
    const released = await records.release(keys);
    const deletions = await Promise.allSettled(released.map((key) => fileStore.delete(key)));
    await records.finishDeletions(released.filter((_key, index) => deletions[index]?.status === 'fulfilled'));
    // Its note remains for the next round, and keeps no others.
    throwFirstFailure(deletions);
    if (found.length < batchSize || keys.length === 0) return;
  }
}
