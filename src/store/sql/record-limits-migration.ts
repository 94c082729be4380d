import { type Kysely, sql } from 'kysely';
import { createIndex } from './create-index.ts';
import { measuredSize } from './owner-records.ts';

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
  await sql`update generations set size_bytes = ${measuredSize}`.execute(db);
  await sql`
    insert into owner_records (owner, records, bytes)
    select owner, count(*), sum(size_bytes) from generations group by owner
  `.execute(db);
  await createIndex(db, {
    table: 'generations',
    name: 'ended',
    columns: ['owner', 'finished_at', 'id'],
    where: sql`finished_at is not null`,
  });
  await createIndex(db, {
    table: 'tasks',
    name: 'adopted_by_owner',
    columns: ['owner', 'updated_at'],
    where: sql`generation_id is null`,
  });
  // Finds unfinished generations by age alone.
  await db.schema.dropIndex('generations_without_end').execute();
  await createIndex(db, {
    table: 'generations',
    name: 'without_end',
    columns: ['created_at'],
    where: sql`finished_at is null`,
  });
}
