import { type Kysely, sql } from 'kysely';
import { dayMs } from '../../../lib/time.ts';
import type { Swept } from '../../store.ts';
import type { SqlStoreOptions } from '../sql-store.ts';
import type { Tables } from '../shared/tables.ts';

/** Deletes what is known about tasks that no instance polls any more. */
export async function sweepPolledTasks(
  db: Kysely<Tables>,
  limit: number,
  leaseClock: SqlStoreOptions['leaseClock'],
): Promise<Swept> {
  const rows = await db
    .selectFrom('polled_tasks')
    .select(['owner', 'id'])
    .where('followed_until', '<=', leaseClock())
    .where('watched_until', '<=', leaseClock())
    .where('fresh_until', '<=', leaseClock())
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const { owner, id } of rows)
    await db.deleteFrom('polled_tasks').where('owner', '=', owner).where('id', '=', id).execute();
  return { deleted: rows.length, generations: [] };
}

/** Deletes old leases of dead instances that no instance took over. */
export async function sweepPollLeases(
  db: Kysely<Tables>,
  leaseClock: SqlStoreOptions['leaseClock'],
): Promise<Swept> {
  await db
    .deleteFrom('poll_leases')
    .where('taken_at', '<', sql<number>`${leaseClock()} - ${dayMs}`)
    .where('instance_id', 'not in', (row) => row.selectFrom('instances').select('instances.id'))
    .execute();
  return { deleted: 0, generations: [] };
}
