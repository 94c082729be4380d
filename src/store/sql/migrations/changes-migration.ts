import type { Kysely } from 'kysely';
import { createIndexes } from './create-indexes.ts';

/** Adds the log of changes. Triggers of each engine write it, so the writes of older versions are in it too. */
export async function addChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owner_changes')
    .addColumn('owner', 'text', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('mark', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('generation_changes')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('generation_id', 'text', (column) => column.notNull())
    .addColumn('mark', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('generation_changes_key', ['owner', 'number'])
    .execute();
  await createIndexes(db, 'generation_changes_by_time on generation_changes (changed_at)');
}
