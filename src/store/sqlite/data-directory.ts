import { closeSync, openSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories, withReason } from '../../lib/make-directories.ts';

/**
 * Creates the data directory and the database file, accessible to this user only because they hold prompts and replies.
 * SQLite gives its side files the same mode. Returns the path of the file.
 * @throws Error with a message for the operator
 */
export function prepareDataFile(directory: string): string {
  makeDirectories(directory);
  const path = join(directory, 'gengraph.db');
  withReason(path, () => closeSync(openSync(path, 'a', 0o600)));
  return path;
}

/** Room of its disk for files of this user. */
export async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
