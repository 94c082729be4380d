import { sql } from 'kysely';
import type { WebhookRecords } from '../../webhook-records.ts';
import type { Database } from '../basics/database.ts';
import { lockNames } from '../basics/lock-name.ts';
import { isRecordId } from '../basics/columns.ts';
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

function createOwnersWebhooks({ reader, writes }: Database): OwnersWebhooks {
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
    async find(owner, id) {
      if (!isRecordId(id)) return undefined;
      const row = await reader
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', id)
        .where('owner', '=', owner)
        .executeTakeFirst();
      return row && fromWebhookRow(row);
    },
    delete: async (owner, id) =>
      isRecordId(id) &&
      writes.transaction(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('webhooks')
          .where('id', '=', id)
          .where('owner', '=', owner)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return false;
        await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute();
        return true;
      }),
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
      const rows = await writes.statement((db) =>
        db
          .updateTable('webhook_deliveries')
          .set({ state: 'PENDING', due_at: 0, failing_since: null })
          .where('webhook_id', '=', webhookId)
          .where((row) => (known ? row('event_id', 'in', known) : row('state', '=', 'FAILED')))
          .returningAll()
          .execute(),
      );
      return rows.map(fromDeliveryRow);
    },
  };
}
