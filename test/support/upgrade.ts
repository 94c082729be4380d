import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { createPostgresDialect } from '../../src/store/postgres/postgres-dialect.ts';
import type { Change } from '../../src/store/sql/migrations/additive-migrations.ts';
import { migrate, migrations } from '../../src/store/sql/migrations/migrations.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { createTestPool } from './gated-pool.ts';
import type { Engine, Records } from './records.ts';

/** Runs the migrations of a newer version, which adds a nullable column to several tables. */
export async function upgrade(
  engine: Engine,
  records: Records,
  change: Omit<Change, 'up'>,
  tables: readonly (keyof Tables)[] = ['generations'],
): Promise<void> {
  await using db = openTables(engine, records);
  const up: Change['up'] = async ({ schema }) => {
    for (const table of tables) await schema.alterTable(table).addColumn('newer', 'text').execute();
  };
  await migrate(db, { ...migrations, '9999-newer': { ...change, up } });
}

type Row = Readonly<Record<string, string | number | null>>;

/** The rows of every table of an earlier version. */
export type EarlierRecords = Readonly<Record<string, readonly Row[]>>;

/**
 * Creates the tables of an earlier version, up to a migration, with the rows of a file as that version wrote them. Their
 * times are moved: the last one is now.
 */
export async function createEarlierRecords(
  engine: Engine,
  records: Records,
  { file, last }: { readonly file: string; readonly last: string },
): Promise<EarlierRecords> {
  // The file has this form.
  const tables = JSON.parse(readFileSync(file, 'utf8')) as EarlierRecords;
  const rows = Object.values(tables).flat();
  const isTime = (column: string) => column.endsWith('_at');
  const times = rows.flatMap((row) =>
    Object.entries(row).flatMap(([column, value]) => (isTime(column) ? [Number(value)] : [])),
  );
  const passed = Date.now() - Math.max(...times);
  await using db = openTables(engine, records);
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last)));
  for (const [table, itsRows] of Object.entries(tables))
    for (const row of itsRows) {
      const columns = Object.keys(row).map((name) => sql.ref(name));
      const values = Object.entries(row).map(([column, value]) =>
        isTime(column) && typeof value === 'number' ? value + passed : value,
      );
      await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(values)})
        on conflict do nothing`.execute(db);
    }
  return tables;
}

function openTables(engine: Engine, { env }: Records): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect:
      engine === 'SQLite'
        ? createSqliteDialect(new DatabaseSync(`${env['DATA_DIR']}/gengraph.db`), createLockWait())
        : createPostgresDialect(createTestPool({ connectionString: env['DATABASE_URL'], max: 1 })),
  });
}
