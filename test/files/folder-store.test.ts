import { type FileHandle, mkdir, open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderStore } from '../../src/files/folder-store.ts';
import { createFolder } from '../support/files.ts';

/** Notes the inodes of the files and folders that are synced, until the test ends. */
async function noteSyncs(folder: string): Promise<number[]> {
  const synced: number[] = [];
  await using handle = await open(folder);
  const prototype: Pick<FileHandle, 'sync'> = Object.getPrototypeOf(handle);
  const { sync } = prototype;
  prototype.sync = async function (this: FileHandle) {
    synced.push((await this.stat()).ino);
    return sync.call(this);
  };
  onTestFinished(() => void (prototype.sync = sync));
  return synced;
}

test('a stored file survives a power failure: its content and its name are synced', async () => {
  const folder = await createFolder();
  const objects = join(folder, 'objects');
  await mkdir(objects);
  const synced = await noteSyncs(folder);
  const store = createFolderStore(objects);
  const put = async (key: string): Promise<number> => {
    const source = join(folder, key);
    await writeFile(source, key);
    const { ino } = await stat(source);
    await store.put(key, source, { contentType: 'image/png', sizeBytes: key.length });
    return ino;
  };
  const first = await put('first-ab');
  const [all, some] = [await stat(objects), await stat(join(objects, 'ab'))];
  const second = await put('second-ab');
  expect(synced).toEqual([first, all.ino, some.ino, second, some.ino]);
});
