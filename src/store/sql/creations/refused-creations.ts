import { type Kysely, sql } from 'kysely';
import type { Refusal } from '../../records.ts';
import { toTextColumn } from '../basics/columns.ts';
import type { CreationRow, Tables } from '../basics/tables.ts';

/** Refused creations of one owner. More replace the oldest ones. */
export const maxRefused = 250;

/** Same expression as in the partial indexes, so that they are used. */
export const isRefused = sql<boolean>`failure is not null`;

/** Keeps the key of a creation: its repetitions get the refusal. Call within a transaction. */
export async function refuseCreation(
  db: Kysely<Tables>,
  id: string,
  { failure, at }: Pick<Refusal, 'failure' | 'at'>,
): Promise<CreationRow | undefined> {
  const row = await db
    .updateTable('creations')
    .set({
      phase: 'SETTLED',
      created_at: at,
      failure: toTextColumn(failure),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row) await removeOldRefused(db, row.owner);
  return row;
}

/** Keeps the newest refused creations of an owner. Call within a transaction. */
export async function removeOldRefused(db: Kysely<Tables>, owner: string): Promise<void> {
  const rows = await db
    .selectFrom('creations')
    .select('id')
    .where('owner', '=', owner)
    .where(isRefused)
    .orderBy('created_at', 'desc')
    .limit(maxRefused)
    .offset(maxRefused)
    .execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  // Others may delete the same ones at the same time.
  const unlocked = db.selectFrom('creations').select('id').where('id', 'in', ids).forUpdate().skipLocked();
  await db.deleteFrom('creations').where('id', 'in', unlocked).execute();
}
