import { Client } from 'pg';
import { afterAll, inject, onTestFinished } from 'vitest';
import { askBroker } from './broker.ts';
import { addDatabase, type DatabaseServerParts, decodeServer, deleteRecords } from './postgres-databases.ts';

/** Creates a database without records and returns its URL. The database is dropped when the test ends. */
export async function createDatabase(): Promise<string> {
  const { url, drop } = await addDatabase(await findServer());
  onTestFinished(drop);
  return url;
}

/** Creates a database without tables and returns its URL. The database is dropped when the test ends. */
export async function createEmptyDatabase(): Promise<string> {
  const { url, drop } = await addDatabase({ ...(await findServer()), template: 'template0' });
  onTestFinished(drop);
  return url;
}

/** A database without records for all tests of a file, with a connection. The caller drops it. */
export interface SharedDatabase {
  readonly url: string;
  readonly client: Client;
  drop(): Promise<void>;
}

export async function openSharedDatabase(): Promise<SharedDatabase> {
  const { url, drop } = await addDatabase(await findServer());
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    url,
    client,
    async drop() {
      await client.end();
      await drop();
    },
  };
}

/**
 * For a file with many tests of the store: returns a function that lends a database without records until the test ends. The
 * next test gets it emptied, with its tables. Call it while tests are collected.
 */
export function reuseDatabases(): () => Promise<string> {
  const all: SharedDatabase[] = [];
  const unused: SharedDatabase[] = [];
  afterAll(async () => {
    for (const { drop } of all) await drop();
  });
  const add = async (): Promise<SharedDatabase> => {
    const added = await openSharedDatabase();
    all.push(added);
    return added;
  };
  return async () => {
    const database = unused.pop() ?? (await add());
    // Runs after the stores of the test have closed.
    onTestFinished(async () => {
      await deleteRecords(database.client);
      unused.push(database);
    });
    return database.url;
  };
}

/** @throws Error that says how to provide a server */
async function findServer(): Promise<DatabaseServerParts> {
  const parts = await askBroker(inject('postgresBroker')).catch(({ message }: Error) => {
    throw new Error(
      `${message}\nSet TEST_DATABASE_URL to a PostgreSQL server whose user may create databases`,
    );
  });
  return decodeServer(parts);
}

/** A connection to the database. Closed when the test ends. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The database may be dropped before the connection closes.
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
