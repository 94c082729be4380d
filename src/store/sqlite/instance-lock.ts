import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LockState } from '../sql/sql-store.ts';
import { fileIdentity } from './file-identity.ts';
import { lockFile } from './file-lock.ts';
import { isBusy } from './result-codes.ts';

/**
 * A file lock that proves that an instance is alive. The operating system releases it when the process ends, even after a
 * crash, so a new process finds orphans immediately. A paused process keeps it. Neither a lease nor a process id proves as
 * much: a clock step or a pause ends a lease early, and ids are reused, in containers almost always.
 */
export interface InstanceLock {
  /** Creates the lock again if its file was deleted or replaced. */
  ensure(): void;
  release(): void;
}

export function acquireInstanceLock(directory: string, instanceId: string): InstanceLock {
  const path = lockPath(directory, instanceId);
  let held = lockFile(path);
  return {
    ensure() {
      if (!held.holder.isOpen || fileIdentity(path) === held.identity) return;
      const previous = held;
      held = lockFile(path);
      previous.holder.close();
    },
    release() {
      if (!held.holder.isOpen) return;
      held.holder.close();
      rmSync(path, { force: true });
    },
  };
}

/** Unknown if the file is missing: a dead instance leaves its file behind, so somebody has deleted it. */
export function findLockState(directory: string, instanceId: string): LockState {
  const path = lockPath(directory, instanceId);
  if (fileIdentity(path) === undefined) return 'unknown';
  try {
    lockFile(path).holder.close();
    return 'free';
  } catch (error) {
    if (isBusy(error)) return 'held';
    throw error;
  }
}

/** Deletes the lock file of a dead instance. */
export function removeLock(directory: string, instanceId: string): void {
  rmSync(lockPath(directory, instanceId), { force: true });
}

function lockPath(directory: string, instanceId: string): string {
  return join(directory, `${instanceId}.lock`);
}
