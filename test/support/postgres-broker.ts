import { rm } from 'node:fs/promises';
import { type EmbeddedDatabase, startEmbeddedPostgres } from '../../deploy/postgres/embedded.ts';
import { startBroker } from './broker.ts';
import { addTemplate, type DatabaseServerParts } from './postgres-databases.ts';
import { findPort } from './find-port.ts';
import { copyDatabase, prepareDatabase, serverSettings } from './prepared-database.ts';

/** Starts a database at the first request of a worker, so that runs without tests of PostgreSQL start none. */
export interface PostgresBroker {
  /** Of the broker, which answers with `DatabaseServerParts`. */
  readonly url: string;
  /** Of the broker that answers with the directory that `prepareDatabase` made. */
  readonly preparedUrl: string;
  close(): Promise<void>;
}

/** TEST_DATABASE_URL names a server whose user may create databases. Otherwise the npm package starts one. */
export async function startPostgresBroker(): Promise<PostgresBroker> {
  const existing = process.env['TEST_DATABASE_URL'];
  let preparing: Promise<string> | undefined;
  const findPrepared = (): Promise<string> => (preparing ??= prepareDatabase());
  let directory: string | undefined;
  let starting: Promise<EmbeddedDatabase> | undefined;
  const start = async (): Promise<EmbeddedDatabase> => {
    directory = await copyDatabase(await findPrepared());
    const settings = [...serverSettings, 'max_connections=400', 'shared_buffers=64MB'];
    return startEmbeddedPostgres({ directory, port: await findPort(), isInitialized: true, settings });
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
  const [broker, preparedBroker] = [await startBroker(find), await startBroker(findPrepared)];
  return {
    url: broker.url,
    preparedUrl: preparedBroker.url,
    async close() {
      broker.close();
      preparedBroker.close();
      const shared = await sharing?.catch(() => undefined);
      await shared?.template.drop();
      const database = await starting?.catch(() => undefined);
      await database?.stop();
      const prepared = await preparing?.catch(() => undefined);
      for (const made of [directory, prepared])
        if (made !== undefined) await rm(made, { recursive: true, force: true });
    },
  };
}
