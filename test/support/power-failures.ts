import { cp } from 'node:fs/promises';
import { createDirectory } from './durable-server.ts';
import { slowDiskEnv } from './slow-disk/slow-disk.ts';

/** Records in a file on a disk that loses, when its server crashes, all that no completed sync covered. */
export interface LosingDisk {
  /** Settings of the next server. */
  readonly env: Readonly<Record<string, string>>;
  /** Call after the crash of the server. */
  loseUnsynced(): Promise<void>;
}

/** @param library `buildSlowDisk` */
export async function createLosingDisk(library: string, syncMs: number): Promise<LosingDisk> {
  let directory = await createDirectory();
  let copy = await createDirectory();
  return {
    get env() {
      return { DATA_DIR: directory, ...slowDiskEnv(library, { directory, copy, syncMs }) };
    },
    async loseUnsynced() {
      directory = copy;
      copy = await createDirectory();
      await cp(directory, copy, { recursive: true });
    },
  };
}
