import type { Log } from '../lib/log.ts';
import type { FileRecords } from '../store/file-records.ts';
import type { FileStore } from './file-store.ts';

const shownKeys = 5;

/** Logs files in the store that no record knows, for example after the records were restored from a backup. Deletes none. */
export async function reportOrphans({
  records,
  fileStore,
  log,
}: {
  readonly records: Pick<FileRecords, 'findUnknown'>;
  readonly fileStore: Pick<FileStore, 'list' | 'has'>;
  readonly log: Log;
}): Promise<void> {
  let orphans = 0;
  const examples: string[] = [];
  for await (const keys of fileStore.list()) {
    for (const key of await records.findUnknown(keys)) {
      // It may have been deleted meanwhile.
      if (!(await fileStore.has(key))) continue;
      orphans += 1;
      if (examples.length < shownKeys) examples.push(key);
    }
  }
  if (orphans > 0)
    log.warn(
      { orphans, examples },
      'the store of files has files that no record refers to; delete them if no other server uses them',
    );
}
