import { statSync } from 'node:fs';
import { RecordsUnavailableError } from '../../errors.ts';

/**
 * Watches the files of an open database: SQLite keeps using deleted files, which no other process can see. Call while it is open
 * in WAL mode, so that all its files exist.
 */
export function trackDataFiles(path: string) {
  const opened = [path, `${path}-wal`, `${path}-shm`].map((file) => [file, fileIdentity(file)] as const);
  return {
    /** @throws RecordsUnavailableError if a file was deleted or replaced since the database was opened */
    check(): void {
      const lost = opened.find(([file, identity]) => fileIdentity(file) !== identity);
      if (!lost) return;
      throw new RecordsUnavailableError(
        `The record store is unavailable: ${lost[0]} was deleted or replaced while the server was running. Restore it, or restart the server to use the files that are there now`,
      );
    },
  };
}

/** Identifies a file independently of its path. Undefined if the path has no file. */
function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}
