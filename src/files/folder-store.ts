import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './file-store.ts';
import { codeOf } from '../lib/thrown.ts';

/**
 * Content in a folder of its own. A file is complete as soon as it has its name: it is written elsewhere in the same file system,
 * synced, and renamed. Its name is synced too: the records say afterwards that the file is stored.
 */
export function createFolderStore(folder: string): FileStore {
  /** Few files in each folder. */
  const pathOf = (key: string): string => join(folder, key.slice(-2), key);
  return {
    async put(key, source) {
      const path = pathOf(key);
      const parent = dirname(path);
      await sync(source, 'r+');
      if (!(await orUndefined(rename(source, path).then(() => true)))) {
        await mkdir(parent, { recursive: true, mode: 0o700 });
        await sync(folder);
        await rename(source, path);
      }
      await sync(parent);
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

/** After a power failure too, a file has its content, and a folder has the names of its files. */
async function sync(path: string, flags = 'r'): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Undefined if there is no such file. */
async function orUndefined<Result>(found: Promise<Result>): Promise<Result | undefined> {
  try {
    return await found;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}
