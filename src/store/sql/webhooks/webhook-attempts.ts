import { type Kysely, sql } from 'kysely';
import { keptDeliveries, type WebhookRecords } from '../../webhook-records.ts';
import type { Tables } from '../basics/tables.ts';
import { pendingWebhooks, type WebhookQueuesOptions } from './webhook-queues.ts';

/** No wait between two attempts is this long. */
const maxWaitMs = 2 * 3_600_000;

type Attempts = Pick<
  WebhookRecords,
  'saveAttempt' | 'retryAll' | 'markFailing' | 'giveUp' | 'disable' | 'trim' | 'measurePending'
>;

export function createWebhookAttempts({
  reader,
  writes,
  now,
}: Pick<WebhookQueuesOptions, 'reader' | 'writes' | 'now'>): Attempts {
  return {
    async saveAttempt({ webhookId, eventId }, { state, responseStatus, failure, delayMs = 0 }) {
      const { numUpdatedRows } = await writes.statement((db) =>
        db
          .updateTable('webhook_deliveries')
          .set({
            state,
            attempts: sql<number>`attempts + 1`,
            attempted_at: now(),
            due_at: sql<number>`${now()} + ${Math.round(delayMs)}`,
            response_status: responseStatus ?? null,
            failure: failure ?? null,
            failing_since: sql<number>`coalesce(failing_since, ${now()})`,
          })
          .where('webhook_id', '=', webhookId)
          .where('event_id', '=', eventId)
          .where('state', '=', 'PENDING')
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows > 0n;
    },
    async retryAll(webhookId) {
      await writes.statement((db) =>
        pendingOf(db, webhookId).set({ due_at: 0 }).where('due_at', '>', 0).execute(),
      );
    },
    async markFailing(webhookId) {
      await writes.statement((db) =>
        pendingOf(db, webhookId).set({ failing_since: now() }).where('failing_since', 'is', null).execute(),
      );
    },
    async giveUp(failedMs) {
      // Read once: an engine searches no index for a time that changes from row to row.
      const current = sql<number>`(select ${now()})`;
      await writes.statement((db) =>
        db
          .withRecursive('pending', pendingWebhooks)
          .updateTable('webhook_deliveries')
          .set({ due_at: 0 })
          .where('webhook_id', 'in', (row) =>
            row
              .selectFrom('pending')
              .innerJoin('webhooks', 'webhooks.id', 'pending.id')
              .select('webhooks.id')
              .where('is_active', '=', 1),
          )
          .where('state', '=', sql.lit('PENDING'))
          .where('due_at', '>', sql<number>`${current} + ${maxWaitMs}`)
          .execute(),
      );
      const { numUpdatedRows } = await writes.statement((db) =>
        db
          .updateTable('webhook_deliveries')
          .set({ state: 'FAILED' })
          .where('state', '=', sql.lit('PENDING'))
          .where('failing_since', '<', sql<number>`${current} - ${failedMs}`)
          .executeTakeFirstOrThrow(),
      );
      return Number(numUpdatedRows);
    },
    async disable({ id, url }, failure) {
      await writes.transaction(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('webhooks')
          .set({ is_active: 0, disabled_at: now(), instance_id: null, held_until: 0 })
          .where('id', '=', id)
          .where('url', '=', url)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) await pendingOf(db, id).set({ state: 'FAILED', failure }).execute();
      });
    },
    async trim(webhookId) {
      await writes.statement((db) =>
        db
          .deleteFrom('webhook_deliveries')
          .where('webhook_id', '=', webhookId)
          .where('state', '<>', 'PENDING')
          .where(
            sql<boolean>`(recorded_at, event_id) <= (
              select recorded_at, event_id from webhook_deliveries where webhook_id = ${webhookId}
              order by recorded_at desc, event_id desc limit 1 offset ${sql.lit(keptDeliveries)}
            )`,
          )
          .execute(),
      );
    },
    measurePending: () => measurePending(reader, now()),
  };
}

function pendingOf(db: Kysely<Tables>, webhookId: string) {
  return db
    .updateTable('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', sql.lit('PENDING'));
}

async function measurePending(
  reader: WebhookQueuesOptions['reader'],
  now: ReturnType<WebhookQueuesOptions['now']>,
) {
  const row = await reader
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number | null>`cast(${now} - min(finished_at) as bigint)`.as('age'),
    ])
    .where('state', '=', sql.lit('PENDING'))
    .where('webhooks.is_active', '=', 1)
    .executeTakeFirst();
  return { count: row?.count ?? 0, ageMs: Math.max(0, row?.age ?? 0) };
}
