import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Pool } from 'pg';
import { createPostgresDialect } from '../../src/store/postgres/postgres-dialect.ts';
import type { Change } from '../../src/store/sql/migrations/additive-migrations.ts';
import { migrate, migrations } from '../../src/store/sql/migrations/migrations.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import type { Engine, Records } from './records.ts';

/** Runs the migrations of a newer version, which adds a nullable column to several tables. */
export async function upgrade(
  engine: Engine,
  { env }: Records,
  change: Omit<Change, 'up'>,
  tables: readonly (keyof Tables)[] = ['generations'],
): Promise<void> {
  const db = new Kysely<Tables>({
    dialect:
      engine === 'SQLite'
        ? createSqliteDialect(new DatabaseSync(`${env['DATA_DIR']}/gengraph.db`), createLockWait())
        : createPostgresDialect(new Pool({ connectionString: env['DATABASE_URL'], max: 1 })),
  });
  const up: Change['up'] = async ({ schema }) => {
    for (const table of tables) await schema.alterTable(table).addColumn('newer', 'text').execute();
  };
  await migrate(db, { ...migrations, '9999-newer': { ...change, up } });
  await db.destroy();
}
