import { type Kysely, sql } from 'kysely';
import type { Expiry, Store } from '../store.ts';
import { deleteGenerations } from './generations.ts';
import type { SqlStoreOptions } from './sql-store.ts';
import type { Tables } from './tables.ts';

export function createExpiry({ db }: SqlStoreOptions): Pick<Store, 'sweep'> {
  return {
    sweep: (expiry) =>
      db.transaction().execute(async (transaction) => {
        let remaining = expiry.limit;
        for (const sweep of [sweepKeys, sweepEnded, sweepUntrackable, sweepAdoptedTasks]) {
          if (remaining > 0) remaining -= await sweep(transaction, { ...expiry, limit: remaining });
        }
        return expiry.limit - remaining;
      }),
  };
}

type Sweep = (db: Kysely<Tables>, expiry: Expiry) => Promise<number>;

const sweepKeys: Sweep = async (db, { keysBefore, limit }) => {
  const rows = await db
    .selectFrom('creations')
    .select('id')
    .where('created_at', '<', keysBefore)
    .where('phase', 'in', ['SETTLED', 'UNKNOWN'])
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('generations')
            .select(sql<number>`1`.as('one'))
            .whereRef('generations.id', '=', 'creations.subject_id')
            .where('generations.instance_id', 'is not', null),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('creations').where('id', 'in', ids).execute();
  return ids.length;
};

const sweepEnded: Sweep = async (db, { generationsBefore, limit }) => {
  if (generationsBefore === undefined) return 0;
  const rows = await db
    .selectFrom('generations')
    .select('id')
    .where('finished_at', 'is not', null)
    .where('finished_at', '<', generationsBefore)
    .orderBy('finished_at')
    .limit(limit)
    .execute();
  return deleteAll(db, rows);
};

const sweepUntrackable: Sweep = async (db, { generationsBefore, untrackableKinds, limit }) => {
  if (generationsBefore === undefined || untrackableKinds.length === 0) return 0;
  const rows = await db
    .selectFrom('generations')
    .select('id')
    .where('finished_at', 'is', null)
    .where('instance_id', 'is', null)
    .where('kind', 'in', untrackableKinds)
    .where('created_at', '<', generationsBefore)
    .limit(limit)
    .execute();
  return deleteAll(db, rows);
};

/** Tasks created outside this API and only read through it. */
const sweepAdoptedTasks: Sweep = async (db, { generationsBefore, limit }) => {
  if (generationsBefore === undefined) return 0;
  const rows = await db
    .selectFrom('tasks')
    .select(['owner', 'id'])
    .where('generation_id', 'is', null)
    .where('updated_at', '<', generationsBefore)
    .orderBy('updated_at')
    .limit(limit)
    .execute();
  for (const { owner, id } of rows)
    await db.deleteFrom('tasks').where('owner', '=', owner).where('id', '=', id).execute();
  return rows.length;
};

async function deleteAll(db: Kysely<Tables>, rows: readonly { readonly id: string }[]): Promise<number> {
  await deleteGenerations(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}
