import type { FileRecords } from '../store/file-records.ts';
import type { FileStore } from './file-store.ts';

export interface DeleteReleasedOptions {
  readonly records: Pick<FileRecords, 'findDeletions' | 'release' | 'finishDeletions'>;
  readonly fileStore: Pick<FileStore, 'delete'>;
  /** Files that this instance may be writing. */
  readonly active: ReadonlySet<string>;
  readonly isClosed: () => boolean;
}

const batchSize = 100;

/** Deletes from the store what nothing refers to. A crash at any point leaves a note, so the next round continues. */
export async function deleteReleased(options: DeleteReleasedOptions): Promise<void> {
  const { records, fileStore, active, isClosed } = options;
  while (!isClosed()) {
    const found = await records.findDeletions(batchSize + active.size);
    const keys = found.filter((key) => !active.has(key));
    const released = await records.release(keys);
    await Promise.all(released.map((key) => fileStore.delete(key)));
    await records.finishDeletions(released);
    if (found.length < batchSize + active.size || keys.length === 0) return;
  }
}
