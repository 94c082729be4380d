import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '../lib/make-directories.ts';
import type { Store } from '../store/store.ts';

/** Where an instance receives files. What dead instances have left there is removed. @throws Error with a message for the operator */
export async function openIncoming(
  folder: string,
  { instanceId, sharing }: Pick<Store, 'instanceId' | 'sharing'>,
): Promise<string> {
  const own = join(folder, instanceId);
  makeDirectories(own);
  for (const name of await readdir(folder)) {
    const isLeft = name.startsWith('instance_') && name !== instanceId && !(await sharing?.isAlive(name));
    if (isLeft) await rm(join(folder, name), { recursive: true, force: true });
  }
  return own;
}
