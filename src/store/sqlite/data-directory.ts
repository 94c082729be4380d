import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes the directory and the file where records are kept, for this user only: prompts and replies are nobody else's
 * business. What SQLite puts beside the file gets the same mode. Returns the file's path.
 * @throws Error whose message tells an operator in plain words what is in the way
 */
export function prepareDataFile(directory: string): string {
  makeDirectory(resolve(directory));
  const path = join(directory, 'gengraph.db');
  explained(path, () => closeSync(openSync(path, 'a', 0o600)));
  return path;
}

/** Parent by parent: Node's own `recursive` never returns where a parent takes no directories, as /proc. */
function makeDirectory(directory: string): void {
  const missing: string[] = [];
  for (let path = directory; !existsSync(path); path = dirname(path)) missing.push(path);
  for (const path of missing.toReversed()) explained(path, () => makeOne(path));
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time may have been first.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function explained(path: string, make: () => void): void {
  try {
    make();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = reasons[code]?.(dirname(path)) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new Error(`${path} cannot be made or written: ${reason}`, { cause });
  }
}

/** In place of the system's words, which name a call and not what is to be done. */
const reasons: Readonly<Record<string, (parent: string) => string>> = {
  EACCES: () => 'this user may not write there',
  EPERM: () => 'this user may not write there',
  EROFS: () => 'the file system is read-only',
  ENOENT: (parent) => `${parent} takes no files or directories`,
  ENOTDIR: (parent) => `${parent} is not a directory`,
  EEXIST: () => 'something else has that name',
  EISDIR: () => 'it is a directory',
  ENOSPC: () => 'the disk is full',
  EDQUOT: () => "this user's share of the disk is used up",
  ENAMETOOLONG: () => 'the name is too long',
};
