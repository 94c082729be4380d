import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { WebhookSetup } from '../../webhook-records.ts';
import type { Database } from '../basics/database.ts';
import type { Tables } from '../basics/tables.ts';
import { writeInPieces } from './delivery-pieces.ts';
import { webhooksWithDeliveries } from './webhook-queues.ts';
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
  const isActive = forOwners ? sql<0 | 1>`case when disabled_at is null then 1 else 0 end` : sql<0 | 1>`0`;
  await db
    .updateTable('webhooks')
    .set({ is_active: isActive })
    .where('owner', '<>', '')
    // The rows of all owners, on each start: other instances write to them.
    .where('is_active', '<>', isActive)
    .execute();
}

/** Deletes the deliveries of webhooks that were deleted. A webhook may be deleted while an end is recorded for it. */
export async function deleteOrphans(database: Database): Promise<void> {
  const isDeleted = (id: RawBuilder<unknown>) =>
    sql<boolean>`not exists (select 1 from webhooks where webhooks.id = ${id})`;
  const orphaned = await database.reader
    .withRecursive('known', () => webhooksWithDeliveries('known', sql`1 = 1`))
    .selectFrom('known')
    .select('known.id')
    .where('known.id', 'is not', null)
    .where(isDeleted(sql.ref('known.id')))
    .execute();
  for (const { id } of orphaned)
    await writeInPieces(database, id ?? '', (db, isInPiece) =>
      // An instance with other settings may have added the webhook again.
      db
        .deleteFrom('webhook_deliveries')
        .where(isInPiece)
        .where(isDeleted(sql`${id}`))
        .execute(),
    );
}
