import { type Kysely, sql } from 'kysely';
import { createIndexes } from './create-indexes.ts';

/** Adds the size of each generation, the counts of each owner, and the indexes that find what to delete. */
export async function addOwnerRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('generations')
    .addColumn('size_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('owner_records')
    .addColumn('owner', 'text', (column) => column.primaryKey())
    .addColumn('records', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute();
  await sql`
    update generations set size_bytes =
      coalesce(octet_length(prompt), 0) + coalesce(octet_length("usage"), 0) + coalesce(octet_length(error), 0)
      + coalesce((select sum(octet_length(body)) from contents where contents.generation_id = generations.id), 0)
      + coalesce((select sum(octet_length(body)) from tasks where tasks.generation_id = generations.id), 0)
  `.execute(db);
  await sql`
    insert into owner_records (owner, records, bytes)
    select owner, count(*), sum(size_bytes) from generations group by owner
  `.execute(db);
  await createIndexes(
    db,
    'generations_ended on generations (owner, finished_at, id) where finished_at is not null',
    'tasks_adopted_by_owner on tasks (owner, updated_at) where generation_id is null',
  );
  // Finds unfinished generations by age alone.
  await db.schema.dropIndex('generations_without_end').execute();
  await createIndexes(db, 'generations_without_end on generations (created_at) where finished_at is null');
}
