import type { Kysely } from 'kysely';
import { createIndexes } from './create-indexes.ts';

/** For lists of conversations: their first turns, and the newest turn of each. */
export async function indexConversations(db: Kysely<unknown>): Promise<void> {
  // SQLite prefers covering indexes. It knows the values of the columns of a condition only up to two terms per parenthesis.
  const firstTurns = "is_visible = 1 and (parent_id is null and kind = 'CHAT')";
  await createIndexes(
    db,
    `generations_first_turns on generations (owner, created_at, id, parent_id) where ${firstTurns}`,
    // Most chats have no collection, and no entry here.
    `generations_first_turns_by_group on generations (owner, group_id, created_at, id, parent_id)
      where group_id <> '' and (${firstTurns})`,
    'generations_newest_turns on generations (root_id, created_at, id) where is_visible = 1 and root_id is not null',
  );
}
