import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration } from 'kysely/migration';
import { isConcurrent } from '../basics/lock-name.ts';
import type { Tables } from '../basics/tables.ts';

export interface Change extends Migration {
  /**
   * Whether older versions can work with the changed tables: they read and write nothing wrong. True for a new table, index,
   * or nullable column whose content older versions need not maintain.
   */
  readonly isAdditive: boolean;
}

type Changes = Readonly<Record<string, Change>>;

/** Names the additive migrations that ran, for older versions, which do not know them. */
const additiveTable = 'additive_migrations';

interface NamedRow {
  readonly name: string;
}

/** The names of the migrations that ran. */
interface Done {
  readonly all: readonly string[];
  /** Those that are recorded as additive. */
  readonly additive: readonly string[];
}

export async function readDone(db: Kysely<Tables>): Promise<Done> {
  return { all: await namesIn(db, DEFAULT_MIGRATION_TABLE), additive: await namesIn(db, additiveTable) };
}

/**
 * Whether a newer version has migrated the tables, in a way that this version can work with.
 * @throws if it cannot. The message replaces Kysely's, which calls the records corrupted, so that nobody deletes them.
 */
export function hasNewer({ all, additive }: Done, changes: Changes): boolean {
  const unknown = all.filter((name) => !Object.hasOwn(changes, name));
  if (unknown.length === 0) return false;
  const missing = Object.keys(changes).filter((name) => !all.includes(name));
  const breaking = unknown.filter((name) => !additive.includes(name));
  if (breaking.length === 0 && missing.length === 0) return true;
  const reason =
    breaking.length > 0 ? `unknown migrations: ${breaking.join(', ')}` : `without: ${missing.join(', ')}`;
  throw new Error(
    `the records were written by a newer version of Gengraph (${reason}). Start that version or use other records`,
  );
}

/** Whether all ran and are recorded. Kysely's migrator lists all tables and columns several times to find that out. */
export function isUpToDate({ all, additive }: Done, changes: Changes): boolean {
  return Object.entries(changes).every(
    ([name, { isAdditive }]) => all.includes(name) && (!isAdditive || additive.includes(name)),
  );
}

/** Call after the migrations. Writes only if names are missing. */
export async function recordAdditive(db: Kysely<Tables>, changes: Changes): Promise<void> {
  const recorded = await namesIn(db, additiveTable);
  const names = Object.keys(changes).filter((name) => changes[name]?.isAdditive && !recorded.includes(name));
  if (names.length === 0) return;
  await db.schema
    .createTable(additiveTable)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  for (const name of names)
    await sql`insert into ${sql.table(additiveTable)} (name) values (${name}) on conflict do nothing`.execute(
      db,
    );
}

async function namesIn(db: Kysely<Tables>, table: string): Promise<readonly string[]> {
  const found = isConcurrent(db)
    ? sql`select 1 where to_regclass(${table}) is not null`
    : sql`select 1 from sqlite_master where type = 'table' and name = ${table}`;
  if ((await found.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<NamedRow>`select name from ${sql.table(table)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
