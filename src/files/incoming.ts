import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../store/store.ts';

/** Where an instance receives files. What dead instances have left there is removed. */
export async function openIncoming(
  folder: string,
  { instanceId, sharing }: Pick<Store, 'instanceId' | 'sharing'>,
): Promise<string> {
  const own = join(folder, instanceId);
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const isLeft = name.startsWith('instance_') && name !== instanceId && !(await sharing?.isAlive(name));
    if (isLeft) await rm(join(folder, name), { recursive: true, force: true });
  }
  return own;
}
