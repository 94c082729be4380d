import { type Kysely, sql } from 'kysely';
import { keptDeliveries, type WebhookRecords } from '../../webhook-records.ts';
import type { Database } from '../basics/database.ts';
import { lockNames } from '../basics/lock-name.ts';
import { isRecordId } from '../basics/columns.ts';
import type { Tables, WebhookDeliveryRow } from '../basics/tables.ts';
import { writeInPieces } from './delivery-pieces.ts';
import { createWebhookAttempts } from './webhook-attempts.ts';
import { createWebhookQueues, type WebhookQueuesOptions } from './webhook-queues.ts';
import { fromDeliveryRow, fromWebhookRow, toWebhookRow } from './webhook-rows.ts';

export function createWebhookRecords(options: WebhookQueuesOptions): WebhookRecords {
  return {
    ...createWebhookQueues(options),
    ...createWebhookAttempts(options),
    ...createOwnersWebhooks(options),
  };
}

type OwnersWebhooks = Pick<
  WebhookRecords,
  'insert' | 'listOf' | 'find' | 'delete' | 'listDeliveries' | 'redeliver'
>;

function createOwnersWebhooks(database: Database): OwnersWebhooks {
  const { reader, writes } = database;
  const find: OwnersWebhooks['find'] = async (owner, id) => {
    if (!isRecordId(id)) return undefined;
    const row = await reader
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    return row && fromWebhookRow(row);
  };
  return {
    insert: (webhook, maxOfOwner) =>
      writes.transaction(async (db) => {
        const owner = webhook.owner ?? '';
        // Concurrent creates of one owner count each other.
        await lockNames(db, [['webhooks', owner]]);
        const { count } = await db
          .selectFrom('webhooks')
          .select(sql<number>`count(*)`.as('count'))
          .where('owner', '=', owner)
          .executeTakeFirstOrThrow();
        if (count >= maxOfOwner) return false;
        await db.insertInto('webhooks').values(toWebhookRow(webhook)).execute();
        return true;
      }),
    async listOf(owner) {
      const rows = await reader
        .selectFrom('webhooks')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(fromWebhookRow);
    },
    find,
    async delete(owner, id) {
      if (!(await find(owner, id))) return false;
      // Before the webhook: what is recorded meanwhile is deleted with it.
      await writeInPieces(database, id, (db, isInPiece) =>
        db.deleteFrom('webhook_deliveries').where(isInPiece).execute(),
      );
      return writes.transaction(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('webhooks')
          .where('id', '=', id)
          .where('owner', '=', owner)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return false;
        await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute();
        return true;
      });
    },
    async listDeliveries(webhookId, limit) {
      const rows = await reader
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .orderBy('recorded_at', 'desc')
        .orderBy('event_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromDeliveryRow);
    },
    async redeliver(webhookId, eventIds) {
      const known = eventIds?.filter(isRecordId);
      if (known?.length === 0) return [];
      const corrected = await findCorrected(reader, webhookId);
      const redeliver = (db: Kysely<Tables>) =>
        db
          .updateTable('webhook_deliveries')
          .set({ state: 'PENDING', due_at: 0, failing_since: null })
          .$if(corrected.length > 0, (query) =>
            query.where((row) =>
              row.or([row('state', '<>', 'FAILED'), row('event_id', 'not in', corrected)]),
            ),
          )
          .returningAll();
      if (known) {
        const rows = await writes.statement((db) =>
          redeliver(db).where('webhook_id', '=', webhookId).where('event_id', 'in', known).execute(),
        );
        return rows.map(fromDeliveryRow);
      }
      let newest: readonly WebhookDeliveryRow[] = [];
      await writeInPieces(database, webhookId, async (db, isInPiece) => {
        const rows = await redeliver(db).where(isInPiece).where('state', '=', 'FAILED').execute();
        newest = [...newest, ...rows].toSorted(compareNewest).slice(0, keptDeliveries);
      });
      return newest.map(fromDeliveryRow);
    },
  };
}

/** Ids of the ends whose correction was delivered. */
async function findCorrected(reader: Database['reader'], webhookId: string): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom('webhook_deliveries')
    .select('corrects')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'DELIVERED')
    .where('corrects', 'is not', null)
    // Delivered events beyond those that are kept are deleted soon.
    .limit(10 * keptDeliveries)
    .execute();
  return rows.flatMap(({ corrects }) => corrects ?? []);
}

/** As `listDeliveries` orders them. */
function compareNewest(left: WebhookDeliveryRow, right: WebhookDeliveryRow): number {
  return right.recorded_at - left.recorded_at || (right.event_id > left.event_id ? 1 : -1);
}
