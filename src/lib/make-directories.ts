import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf } from './thrown.ts';

/**
 * Creates a directory for this user only. Creates missing parents one by one: `recursive` of mkdirSync hangs below a directory such
 * as /proc, and reports ENOENT for a file system that is read-only.
 * @throws Error with a message for the operator
 */
export function makeDirectories(directory: string): void {
  const missing: string[] = [];
  for (let path = resolve(directory); !existsSync(path); path = dirname(path)) missing.push(path);
  for (const path of missing.toReversed()) withReason(path, () => makeDirectory(path));
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it concurrently.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** @throws Error with a message for the operator if the path cannot be created */
export function withReason(path: string, create: () => void): void {
  try {
    create();
  } catch (cause) {
    const reason = reasons[codeOf(cause)]?.(dirname(path)) ?? messageOf(cause);
    throw new Error(`cannot create or write ${path}: ${reason}`, { cause });
  }
}

/** Replace the system's messages, which name a system call but no remedy. */
const reasons: Readonly<Record<string, (parent: string) => string>> = {
  EACCES: () => 'this user has no write permission',
  EPERM: () => 'this user has no write permission',
  EROFS: () => 'the file system is read-only',
  ENOENT: (parent) => `files and directories cannot be created in ${parent}`,
  ENOTDIR: (parent) => `${parent} is not a directory`,
  EEXIST: () => 'a file with that name exists',
  EISDIR: () => 'it is a directory',
  ENOSPC: () => 'the disk is full',
  EDQUOT: () => "this user's disk quota is exceeded",
  ENAMETOOLONG: () => 'the name is too long',
};
