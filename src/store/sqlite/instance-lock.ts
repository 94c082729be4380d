import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './result-codes.ts';

/**
 * A file lock that proves that an instance is alive. The operating system releases it when the process ends, even after a
 * crash, so a new process finds orphans immediately instead of waiting for a lease to expire. A process id would not work:
 * ids are reused, in containers almost always.
 */
export interface InstanceLock {
  release(): void;
}

/** Locks a separate SQLite file, because SQLite locks files portably. */
export function acquireInstanceLock(directory: string, instanceId: string): InstanceLock {
  const path = lockPath(directory, instanceId);
  const holder = new DatabaseSync(path);
  holder.exec('begin exclusive');
  return {
    release() {
      if (!holder.isOpen) return;
      holder.close();
      rmSync(path, { force: true });
    },
  };
}

/** Whether the lock of an instance is free. Deletes the lock file of a dead instance. */
export function isLockFree(directory: string, instanceId: string): boolean {
  const path = lockPath(directory, instanceId);
  if (!existsSync(path)) return true;
  const probe = new DatabaseSync(path);
  try {
    probe.exec('begin exclusive');
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    probe.close();
  }
  rmSync(path, { force: true });
  return true;
}

function lockPath(directory: string, instanceId: string): string {
  return join(directory, `${instanceId}.lock`);
}
