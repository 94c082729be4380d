import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './file-store.ts';

/**
 * Content in a folder of its own. A file is complete as soon as it has its name: it is written elsewhere in the same file system,
 * synced, and renamed.
 */
export function createFolderStore(folder: string): FileStore {
  /** Few files in each folder. */
  const pathOf = (key: string): string => join(folder, key.slice(-2), key);
  return {
    async put(key, source) {
      const path = pathOf(key);
      const file = await open(source, 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      if (await orUndefined(rename(source, path).then(() => true))) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(source, path);
    },
    async open(key, range) {
      const file = await orUndefined(open(pathOf(key)));
      return file?.createReadStream(range && { start: range.start, end: range.end });
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    has: async (key) => (await orUndefined(stat(pathOf(key)))) !== undefined,
    async *list() {
      for (const name of (await orUndefined(readdir(folder))) ?? [])
        yield (await orUndefined(readdir(join(folder, name)))) ?? [];
    },
    close() {},
  };
}

/** Undefined if there is no such file. */
async function orUndefined<Result>(found: Promise<Result>): Promise<Result | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}
