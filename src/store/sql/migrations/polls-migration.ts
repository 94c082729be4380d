import type { Kysely } from 'kysely';
import { createIndex } from './create-index.ts';

/** Adds the leases of polls, and the tasks that they cover. */
export async function addPolls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('poll_leases')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('round', 'text', (column) => column.notNull())
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('taken_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('poll_leases_key', ['owner', 'round'])
    .execute();
  await createIndex(db, { table: 'poll_leases', name: 'by_holder', columns: ['instance_id'] });
  await createIndex(db, { table: 'poll_leases', name: 'by_time', columns: ['taken_at'] });
  await db.schema
    .createTable('polled_tasks')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('round', 'text', (column) => column.notNull())
    .addColumn('watched_until', 'bigint', (column) => column.notNull())
    .addColumn('followed_until', 'bigint', (column) => column.notNull())
    .addColumn('fresh_until', 'bigint', (column) => column.notNull())
    .addColumn('read_by', 'text')
    .addColumn('read_at', 'bigint')
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('polled_tasks_key', ['owner', 'id'])
    .execute();
  await createIndex(db, { table: 'polled_tasks', name: 'by_round', columns: ['owner', 'round'] });
  await createIndex(db, { table: 'polled_tasks', name: 'by_end', columns: ['followed_until'] });
}
