import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../deploy/postgres/embedded.ts';
import { findPort } from './find-port.ts';

/** Of all servers of tests. A crash of one loses nothing without fsync: the operating system keeps its writes. */
export const serverSettings: readonly string[] = ['fsync=off', 'scram_iterations=1'];

/** A directory of a PostgreSQL server that has stopped. Its copies start in a third of the time of a new one. */
export async function prepareDatabase(): Promise<string> {
  const directory = await mkdtemp(join(await findParent(), 'gengraph-postgres-'));
  const port = await findPort();
  const options = { directory, port, isInitialized: false, settings: serverSettings };
  await (await startEmbeddedPostgres(options)).stop();
  return directory;
}

/** Returns the directory of the copy, beside that of `prepareDatabase`. */
export async function copyDatabase(prepared: string): Promise<string> {
  const directory = `${prepared}-${randomUUID()}`;
  // Keeps the owner: for root, PostgreSQL runs as another user.
  await promisify(execFile)('cp', ['-a', prepared, directory]);
  return directory;
}

/** In memory if there is room: a copy of the template makes 300 files, which take two to three times as long on a disk. */
async function findParent(): Promise<string> {
  const memory = '/dev/shm';
  const room = await statfs(memory).catch(() => undefined);
  return room && room.bavail * room.bsize > minMemoryBytes ? memory : tmpdir();
}

/** Far more than the databases of a run and their logs need. */
const minMemoryBytes = 2 * 1024 ** 3;
