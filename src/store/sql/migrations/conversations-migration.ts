import type { Kysely } from 'kysely';
import { createIndexes } from './create-indexes.ts';

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
  await createIndexes(
    db,
    'generations_by_parent on generations (parent_id, created_at, id) where parent_id is not null',
    'generations_by_root on generations (root_id, finished_at) where root_id is not null',
    'generations_inline_images on generations (owner, image_bytes) where image_bytes is not null',
  );
}
