import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, startEmbeddedPostgres } from '../../deploy/postgres/embedded.ts';
import { startBroker } from './broker.ts';
import { addTemplate, type DatabaseServerParts } from './postgres-databases.ts';

/** Starts a database at the first request of a worker, so that runs without tests of PostgreSQL start none. */
export interface PostgresBroker {
  /** Of the broker, which answers with `DatabaseServerParts`. */
  readonly url: string;
  close(): Promise<void>;
}

/** TEST_DATABASE_URL names a server whose user may create databases. Otherwise the npm package starts one. */
export async function startPostgresBroker(): Promise<PostgresBroker> {
  const existing = process.env['TEST_DATABASE_URL'];
  let directory: string | undefined;
  let starting: Promise<EmbeddedDatabase> | undefined;
  const start = async (): Promise<EmbeddedDatabase> => {
    directory = await mkdtemp(join(await findParent(), 'gengraph-postgres-'));
    const settings = ['fsync=off', 'scram_iterations=1', 'max_connections=400', 'shared_buffers=64MB'];
    return startEmbeddedPostgres({ directory, port: await findPort(), isInitialized: false, settings });
  };
  let sharing: ReturnType<typeof share> | undefined;
  const share = async () => {
    const serverUrl = existing ?? (await (starting ??= start())).url;
    return { serverUrl, template: await addTemplate(serverUrl) };
  };
  const find = async (): Promise<string> => {
    const { serverUrl, template } = await (sharing ??= share());
    return JSON.stringify({ serverUrl, template: template.name } satisfies DatabaseServerParts);
  };
  const broker = await startBroker(find);
  return {
    url: broker.url,
    async close() {
      broker.close();
      const shared = await sharing?.catch(() => undefined);
      await shared?.template.drop();
      const database = await starting?.catch(() => undefined);
      await database?.stop();
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** In memory if there is room: a copy of the template makes 300 files, which take two to three times as long on a disk. */
async function findParent(): Promise<string> {
  const memory = '/dev/shm';
  const room = await statfs(memory).catch(() => undefined);
  return room && room.bavail * room.bsize > minMemoryBytes ? memory : tmpdir();
}

/** Far more than the databases of a run and their logs need. */
const minMemoryBytes = 2 * 1024 ** 3;

export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // TCP's is of this form.
  await new Promise((resolve) => server.close(resolve));
  return port;
}
