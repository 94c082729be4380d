import { type Kysely, sql } from 'kysely';
import { createIndexes } from './create-indexes.ts';

const replaced = [
  'generations_by_group',
  'generations_by_group_and_more',
  'generations_without_end',
  'creations_under_way',
];

/** Each page of an index that a chat changes is written to the disk: indexes without what nothing looks for. */
export async function shrinkIndexes(db: Kysely<unknown>): Promise<void> {
  for (const name of [...replaced, 'creations_by_subject']) await sql.raw(`drop index ${name}`).execute(db);
  await createIndexes(
    db,
    // Most generations have no collection.
    `generations_by_group on generations (owner, group_id, created_at, id)
      where is_visible = 1 and group_id <> ''`,
    `generations_by_group_and_more on generations (owner, group_id, kind, status, open_task, model, created_at, id)
      where is_visible = 1 and group_id <> ''`,
    // The work of an instance ends with it.
    `generations_without_end on generations (created_at) where finished_at is null and instance_id is null`,
    // Only creations under way are found by their subject.
    `creations_under_way on creations (subject_id, instance_id) where phase in ('CLAIMED', 'SENDING')`,
  );
}
