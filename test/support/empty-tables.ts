import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { migrate } from '../../src/store/sql/migrations/migrations.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createChangeTriggers } from '../../src/store/sqlite/change-triggers.ts';
import { createEndTrigger } from '../../src/store/sqlite/end-trigger.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';

/** An image of migrated tables, made once a worker: the migrations take more than half of the start of a server. */
export function emptyTables(): Promise<Uint8Array> {
  return (image ??= createImage());
}

/** Creates the database of a server in its data directory, with tables and without records. */
export async function addEmptyTables(directory: string): Promise<void> {
  await writeFile(join(directory, 'gengraph.db'), await emptyTables(), { mode: 0o600 });
}

let image: Promise<Uint8Array> | undefined;

async function createImage(): Promise<Uint8Array> {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database, createLockWait()) });
  try {
    await migrate(db);
    await createChangeTriggers(db);
    await createEndTrigger(db);
    return database.serialize();
  } finally {
    await db.destroy();
  }
}
