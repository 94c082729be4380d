import type { Kysely } from 'kysely';
import { createIndexes } from './create-indexes.ts';

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
  await createIndexes(
    db,
    'poll_leases_by_holder on poll_leases (instance_id)',
    'poll_leases_by_time on poll_leases (taken_at)',
  );
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
  await createIndexes(
    db,
    'polled_tasks_by_round on polled_tasks (owner, round)',
    'polled_tasks_by_end on polled_tasks (followed_until)',
  );
}
