import { type Kysely, sql } from 'kysely';
import { createIndex } from './create-index.ts';

/** Adds the place of a generation in its conversation, and what its record holds of its request. */
export async function addConversations(db: Kysely<unknown>): Promise<void> {
  const columns = {
    parent_id: 'text',
    parent_choice: 'integer',
    root_id: 'text',
    depth: 'integer',
    input_state: 'text',
    image_bytes: 'bigint',
  } as const;
  for (const [name, type] of Object.entries(columns))
    await db.schema.alterTable('generations').addColumn(name, type).execute();
  await createIndex(db, {
    table: 'generations',
    name: 'by_parent',
    columns: ['parent_id', 'created_at', 'id'],
    where: sql`parent_id is not null`,
  });
  await createIndex(db, {
    table: 'generations',
    name: 'by_root',
    columns: ['root_id', 'finished_at'],
    where: sql`root_id is not null`,
  });
  await createIndex(db, {
    table: 'generations',
    name: 'inline_images',
    columns: ['owner', 'image_bytes'],
    where: sql`image_bytes is not null`,
  });
}
