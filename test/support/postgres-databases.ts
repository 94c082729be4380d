import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';

/** A database of one test or file. */
export interface Database {
  readonly url: string;
  drop(): Promise<void>;
}

/** What the workers of a run share. */
export interface DatabaseServerParts {
  /** URL of the server, whose user may create databases. */
  readonly serverUrl: string;
  /** Name of a database with tables and without records. */
  readonly template: string;
}

/** Reads what the broker of a run answers. */
export function decodeServer(text: string): DatabaseServerParts {
  return JSON.parse(text);
}

/** A copy of the template, or of `template0`, which has no tables. */
export async function addDatabase({ serverUrl, template }: DatabaseServerParts): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copies files instead of logging every page, which takes twice as long for a small database.
  await runOn(serverUrl, `create database ${name} encoding 'UTF8' template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(serverUrl, `drop database ${name} with (force)`) };
}

/** A database with the tables of a server. A copy of it opens in half of the time of an empty database. */
export async function addTemplate(serverUrl: string): Promise<Database & { readonly name: string }> {
  const database = await addDatabase({ serverUrl, template: 'template0' });
  const store = await createPostgresStore({
    url: database.url,
    clock: createSystemClock(),
    timeoutMs: 10_000,
  });
  await store.close();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await deleteRecords(client);
  await client.end();
  return { ...database, name: new URL(database.url).pathname.slice(1) };
}

/** Deletes the rows of all tables but those of migrations. Much faster than `truncate` for few rows. */
export async function deleteRecords(client: Client): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like '%migration%'",
  );
  const deletions = rows.map(({ name }) => `delete from ${name}`).join('; ');
  await client.query(deletions);
  // The deletions are changes, which are recorded at their end.
  await client.query(deletions);
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
