import type { Kysely } from 'kysely';
import { createIndexes } from './create-indexes.ts';

/** Adds the callback subscriptions, and the leases of the instances that post their events. */
export async function addCallbacks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('callbacks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('generation_id', 'text')
    .addColumn('position', 'text')
    .addColumn('is_posting', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();
  await createIndexes(
    db,
    'callbacks_by_owner on callbacks (owner)',
    'callbacks_by_holder on callbacks (holder)',
  );
  await db.schema
    .createTable('callback_leases')
    .addColumn('instance_id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}
