import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../../lib/time.ts';
import type { Instances } from '../instances/instances.ts';
import type { Sweep } from './expiry.ts';

/** Sweeps of what instances know about polled tasks. */
export function createPollSweeps({ leaseClock }: Pick<Instances, 'leaseClock'>): readonly Sweep[] {
  // Read once: an engine searches no index for a time that changes from row to row.
  const now = (): RawBuilder<number> => sql<number>`(select ${leaseClock()})`;
  return [
    /** Deletes what is known about tasks that no instance polls any more. */
    async (db, { limit }) => {
      const rows = await db
        .selectFrom('polled_tasks')
        .select(['owner', 'id'])
        .where('followed_until', '<=', now())
        .where('watched_until', '<=', now())
        .where('fresh_until', '<=', now())
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
        .where('taken_at', '<', sql<number>`${now()} - ${dayMs}`)
        .where('instance_id', 'not in', (row) => row.selectFrom('instances').select('instances.id'))
        .execute();
      return { deleted: 0, generations: [] };
    },
  ];
}
