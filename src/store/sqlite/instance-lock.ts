import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-dialect.ts';

/**
 * A sign of life that ends with its process, however that ends: the system lets go of a dead process's locks. So a new
 * process knows at once which work was left behind, and need not wait for a lease to run out. A process id would not do:
 * it is used again, in a container nearly always.
 */
export interface InstanceLock {
  release(): void;
}

/** Held by a connection to a file of its own, since SQLite knows how to lock a file on every system. */
export function holdInstanceLock(directory: string, instanceId: string): InstanceLock {
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

/** Whether nobody holds it any more; takes its file away then. */
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
