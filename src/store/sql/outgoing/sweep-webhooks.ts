import { sql } from 'kysely';
import { isHeldOwner } from '../../../gateway/caller.ts';
import type { Sweep } from '../maintenance/expiry.ts';
import { createPartSweep } from '../maintenance/sweep-in-parts.ts';

/** SQL condition on `webhooks`: its owner has never made a generation. The sums of usage are never deleted. */
const isOfNobody = sql<boolean>`owner <> '' and not exists (
  select 1 from usage_days where usage_days.owner = webhooks.owner
)`;

/** Deletes the webhooks of callers who have made nothing, unless they signed in. Any text could be a credential. */
export function createWebhookSweep(): Sweep {
  return createPartSweep({
    async read(db, { after, limit }, { webhooksBefore = 0, areHeldOwnersVerified = false }) {
      const rows = await db
        .selectFrom('webhooks')
        .select([
          'id',
          'owner',
          sql<number | null>`case when ${isOfNobody} then created_at end`.as('unused_since'),
        ])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, owner, unused_since: since }) => ({
        key: id,
        isUnused: since !== null && since < webhooksBefore && !(areHeldOwnersVerified && isHeldOwner(owner)),
      }));
    },
    remove: (db, ids) =>
      db.deleteFrom('webhooks').where('id', 'in', ids).where(isOfNobody).executeTakeFirstOrThrow(),
  });
}
