import { type Kysely, sql } from 'kysely';
import type { WebhookSetup } from '../../webhook-records.ts';
import type { Tables } from '../basics/tables.ts';
import { toWebhookRow } from './webhook-rows.ts';

/**
 * Records which webhooks get events from now on. One whose receiver answered 410 stays disabled until its address changes. Call
 * within a transaction.
 */
export async function applySetup(
  db: Kysely<Tables>,
  { operator, forOwners }: WebhookSetup,
  now: number,
): Promise<void> {
  const ids = operator.map(({ id }) => id);
  await db
    .deleteFrom('webhooks')
    .where('owner', '=', '')
    .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
    .execute();
  for (const webhook of operator) {
    const row = toWebhookRow({ ...webhook, sealedSecret: '', createdAt: now });
    const isSame = sql`webhooks.url = excluded.url`;
    await db
      .insertInto('webhooks')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((set) => ({
          url: set.ref('excluded.url'),
          kinds: set.ref('excluded.kinds'),
          statuses: set.ref('excluded.statuses'),
          collections: set.ref('excluded.collections'),
          has_content: set.ref('excluded.has_content'),
          disabled_at: sql<number | null>`case when ${isSame} then webhooks.disabled_at end`,
          is_active: sql<0 | 1>`case when ${isSame} and webhooks.disabled_at is not null then 0 else 1 end`,
        })),
      )
      .execute();
  }
  await db
    .updateTable('webhooks')
    .set({ is_active: forOwners ? sql<0 | 1>`case when disabled_at is null then 1 else 0 end` : 0 })
    .where('owner', '<>', '')
    .execute();
  // A webhook may have been deleted while an end was recorded for it.
  await db
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', 'not in', (row) => row.selectFrom('webhooks').select('webhooks.id'))
    .execute();
}
