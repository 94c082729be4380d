import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, inject, onTestFinished } from 'vitest';
import { askBroker } from './broker.ts';

/** Creates an empty database and returns its URL. The database is dropped when the test ends. */
export async function createDatabase(): Promise<string> {
  const { url, drop } = await addDatabase();
  onTestFinished(drop);
  return url;
}

/** An empty database for all tests of a file, with a connection. The caller drops it. */
export interface SharedDatabase {
  readonly url: string;
  readonly client: Client;
  drop(): Promise<void>;
}

export async function openSharedDatabase(): Promise<SharedDatabase> {
  const { url, drop } = await addDatabase();
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

/** Deletes the rows of all tables but those of migrations. Much faster than `truncate` for few rows. */
async function deleteRecords(client: Client): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like '%migration%'",
  );
  const deletions = rows.map(({ name }) => `delete from ${name}`).join('; ');
  await client.query(deletions);
  // The deletions are changes, which are recorded at their end.
  await client.query(deletions);
}

async function addDatabase(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const serverUrl = await findServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOn(serverUrl, `create database ${name} encoding 'UTF8' template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(serverUrl, `drop database ${name} with (force)`) };
}

/** @throws Error that says how to provide a server */
async function findServer(): Promise<string> {
  return askBroker(inject('postgresBroker')).catch(({ message }: Error) => {
    throw new Error(
      `${message}\nSet TEST_DATABASE_URL to a PostgreSQL server whose user may create databases`,
    );
  });
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
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
