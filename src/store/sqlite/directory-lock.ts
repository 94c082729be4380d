import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../lib/thrown.ts';
import { prepareDataFile } from './data-directory.ts';
import { createLockWait, retryWhileBusy } from './lock-wait.ts';
import { isBusy } from './result-codes.ts';

/**
 * Admits one server to a data directory, and one more while the first drains. The operating system releases both locks when a
 * process ends, even after a crash, so nothing stale remains.
 */
export interface DirectoryLock {
  /** Lets another server wait for the release. Call when the drain begins. */
  admitNext(): void;
  release(): void;
}

export interface DirectoryLockOptions {
  /** Created if missing. */
  readonly directory: string;
  /** Longest wait for a server that drains. */
  readonly waitMs: number;
  /** Called once if another server drains. */
  readonly onWait: () => void;
}

/**
 * Resolves when no other server uses the directory. The files stay after the release: to delete one that another process has
 * opened would let two servers hold the lock.
 * @throws if a server uses the directory and does not drain, or drains for longer than the wait
 */
export async function lockDirectory({
  directory,
  waitMs,
  onWait,
}: DirectoryLockOptions): Promise<DirectoryLock> {
  prepareDataFile(directory);
  // Held from the start of a server to its drain.
  const next = tryLock(join(directory, 'server-next.lock'));
  if (!next) throw new Error(`another server uses it. ${remedy}`);
  try {
    // Held until a server has closed its records.
    const path = join(directory, 'server.lock');
    const current = tryLock(path) ?? (await waitForLock(path, { waitMs, onWait }));
    return {
      admitNext: () => close(next),
      release() {
        close(current);
        close(next);
      },
    };
  } catch (error) {
    close(next);
    throw error;
  }
}

const remedy =
  'Stop that server first, or set DATABASE_URL to a PostgreSQL database, which any number of servers can share';

async function waitForLock(
  path: string,
  { waitMs, onWait }: Pick<DirectoryLockOptions, 'waitMs' | 'onWait'>,
): Promise<DatabaseSync> {
  onWait();
  try {
    return await retryWhileBusy(() => lockFile(path), createLockWait(waitMs).createDeadline());
  } catch (cause) {
    const waited = `another server uses it and has not finished draining within ${waitMs / 1000} seconds`;
    throw isBusy(cause instanceof Error ? cause.cause : undefined)
      ? new Error(`${waited}. ${remedy}`, { cause })
      : cause;
  }
}

/**
 * It is a SQLite file, created if missing, because SQLite locks files portably.
 * @throws if it is locked, or if this user cannot write it
 */
function lockFile(path: string): DatabaseSync {
  let holder: DatabaseSync | undefined;
  try {
    holder = new DatabaseSync(path);
    holder.exec('pragma journal_mode = memory');
    // In a file that this user cannot write, the transaction begins without the lock. Only a write fails.
    holder.exec('begin exclusive; pragma user_version = 1');
    return holder;
  } catch (cause) {
    holder?.close();
    if (isBusy(cause)) throw cause;
    const reason = messageOf(cause);
    throw new Error(`cannot lock ${path}, which this user must be able to write: ${reason}`, { cause });
  }
}

function tryLock(path: string): DatabaseSync | undefined {
  try {
    return lockFile(path);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function close(holder: DatabaseSync): void {
  if (holder.isOpen) holder.close();
}
