import { type Kysely, type RawBuilder, sql, type UpdateResult } from 'kysely';
import { inBatches } from '../../../lib/in-batches.ts';
import { hourMs } from '../../../lib/time.ts';
import { keptDeliveries, type WebhookRecords } from '../../webhook-records.ts';
import type { Tables } from '../basics/tables.ts';
import { pieceSize, writeInPieces } from './delivery-pieces.ts';
import { pendingWebhooks, type WebhookQueuesOptions } from './webhook-queues.ts';

/** No wait between two attempts is this long. */
const maxWaitMs = 2 * hourMs;

type Attempts = Pick<
  WebhookRecords,
  'saveAttempt' | 'retryAll' | 'markFailing' | 'giveUp' | 'disable' | 'trim' | 'measurePending'
>;

type AttemptsOptions = Pick<WebhookQueuesOptions, 'reader' | 'writes' | 'now'>;

export function createWebhookAttempts(options: AttemptsOptions): Attempts {
  const { reader, writes, now } = options;
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
      await writeInPieces(options, webhookId, (db, isInPiece) =>
        updatePending(db).set({ due_at: 0 }).where(isInPiece).where('due_at', '>', 0).execute(),
      );
    },
    async markFailing(webhookId) {
      await writeInPieces(options, webhookId, (db, isInPiece) =>
        updatePending(db)
          .set({ failing_since: now() })
          .where(isInPiece)
          .where('failing_since', 'is', null)
          .execute(),
      );
    },
    giveUp: (failedMs) => giveUp(options, failedMs),
    async disable({ id, url }, failure) {
      const failed = { state: 'FAILED', failure } as const;
      // Before the webhook: its receiver is called again if the server stops meanwhile.
      await writeInPieces(options, id, (db, isInPiece) =>
        updatePending(db)
          .set(failed)
          .where(isInPiece)
          .where((delivery) =>
            delivery.exists(
              delivery
                .selectFrom('webhooks')
                .select('webhooks.id')
                .where('id', '=', id)
                .where('url', '=', url),
            ),
          )
          .execute(),
      );
      await writes.transaction(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('webhooks')
          .set({ is_active: 0, disabled_at: now(), instance_id: null, held_until: 0 })
          .where('id', '=', id)
          .where('url', '=', url)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) await updatePending(db).set(failed).where('webhook_id', '=', id).execute();
      });
    },
    async trim(webhookId) {
      await writeInPieces(options, webhookId, (db, isInPiece) =>
        db
          .deleteFrom('webhook_deliveries')
          .where(isInPiece)
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

async function giveUp(
  { writes, now }: Pick<AttemptsOptions, 'writes' | 'now'>,
  failedMs: number,
): Promise<number> {
  // Read once: an engine searches no index for a time that changes from row to row.
  const current = sql<number>`(select ${now()})`;
  const updateRows = async (write: (db: Kysely<Tables>) => Promise<UpdateResult>): Promise<number> =>
    Number((await writes.statement(write)).numUpdatedRows);
  await inBatches({ size: pieceSize }, (limit) =>
    updateRows((db) =>
      db
        .withRecursive('pending', pendingWebhooks)
        .updateTable('webhook_deliveries')
        .set({ due_at: 0 })
        .where(
          isOneOf(sql`
            select webhook_id, event_id from webhook_deliveries
            where webhook_id in (
              select webhooks.id from pending inner join webhooks on webhooks.id = pending.id where is_active = 1
            )
            and state = 'PENDING' and due_at > ${current} + ${maxWaitMs} limit ${limit}
          `),
        )
        .executeTakeFirstOrThrow(),
    ),
  );
  return inBatches({ size: pieceSize }, (limit) =>
    updateRows((db) =>
      updatePending(db)
        .set({ state: 'FAILED' })
        .where(
          isOneOf(sql`
            select webhook_id, event_id from webhook_deliveries
            where state = 'PENDING' and failing_since < ${current} - ${failedMs} limit ${limit}
          `),
        )
        .executeTakeFirstOrThrow(),
    ),
  );
}

function updatePending(db: Kysely<Tables>) {
  return db.updateTable('webhook_deliveries').where('state', '=', sql.lit('PENDING'));
}

/** SQL condition on `webhook_deliveries`. @param keys selects pairs of `webhook_id` and `event_id` */
function isOneOf(keys: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(webhook_id, event_id) in (${keys})`;
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
