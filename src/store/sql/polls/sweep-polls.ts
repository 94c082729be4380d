import { sql } from 'kysely';
import { dayMs } from '../../../lib/time.ts';
import type { Instances } from '../instances/instances.ts';
import type { Sweep } from '../maintenance/expiry.ts';

/** Sweeps of what instances know about polled tasks. */
export function createPollSweeps({ leaseClock }: Pick<Instances, 'leaseClock'>): readonly Sweep[] {
  return [
    /** Deletes what is known about tasks that no instance polls any more. */
    async (db, { limit }) => {
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
    },
    /** Deletes old leases of dead instances that no instance took over. */
    async (db) => {
      await db
        .deleteFrom('poll_leases')
        .where('taken_at', '<', sql<number>`${leaseClock()} - ${dayMs}`)
        .where('instance_id', 'not in', (row) => row.selectFrom('instances').select('instances.id'))
        .execute();
      return { deleted: 0, generations: [] };
    },
  ];
}
