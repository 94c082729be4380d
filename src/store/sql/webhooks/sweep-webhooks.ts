import { sql } from 'kysely';
import type { Sweep } from '../maintenance/expiry.ts';
import { createPartSweep } from '../maintenance/sweep-in-parts.ts';

/** SQL condition on `webhooks`: its owner has never made a generation. The sums of usage are never deleted. */
const isOfNobody = sql<boolean>`owner <> '' and not exists (
  select 1 from usage_days where usage_days.owner = webhooks.owner
)`;

/** Deletes the webhooks of callers who have made nothing. Any text could be a credential, and each could have webhooks. */
export function createWebhookSweep(): Sweep {
  return createPartSweep({
    async read(db, { after, limit }, { webhooksBefore = 0 }) {
      const rows = await db
        .selectFrom('webhooks')
        .select(['id', sql<number | null>`case when ${isOfNobody} then created_at end`.as('unused_since')])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, unused_since: since }) => ({
        key: id,
        isUnused: since !== null && since < webhooksBefore,
      }));
    },
    remove: (db, ids) =>
      db.deleteFrom('webhooks').where('id', 'in', ids).where(isOfNobody).executeTakeFirstOrThrow(),
  });
}
