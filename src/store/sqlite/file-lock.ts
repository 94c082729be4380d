import { DatabaseSync } from 'node:sqlite';
import { fileIdentity } from './file-identity.ts';

/** An exclusive lock of a file. The operating system releases it when the process ends, even after a crash. */
export interface FileLock {
  readonly holder: DatabaseSync;
  /** The file that is locked, which may differ from the file that has its path later. */
  readonly identity: string | undefined;
}

/** Locks a file, created if missing. It is a SQLite file, because SQLite locks files portably. @throws if it is locked */
export function lockFile(path: string): FileLock {
  const holder = new DatabaseSync(path);
  try {
    holder.exec('begin exclusive');
    return { holder, identity: fileIdentity(path) };
  } catch (error) {
    holder.close();
    throw error;
  }
}
