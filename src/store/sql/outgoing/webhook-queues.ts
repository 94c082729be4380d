import { type RawBuilder, sql } from 'kysely';
import { queueLeaseMs, type WebhookRecords } from '../../webhook-records.ts';
import type { Database } from '../basics/database.ts';
import { fromDeliveryRow, fromWebhookRow } from './webhook-rows.ts';

export interface WebhookQueuesOptions extends Database {
  readonly instanceId: string;
  /** Whether several instances share the records. Otherwise all others are dead. */
  readonly isShared: boolean;
  /** The time of leases and of retries, of one clock for all instances. */
  readonly now: () => RawBuilder<number>;
}

type Queues = Pick<WebhookRecords, 'findQueues' | 'holdQueues' | 'releaseQueues' | 'takeDue'>;

export function createWebhookQueues(options: WebhookQueuesOptions): Queues {
  const { reader, writes, instanceId, now } = options;
  const isFree = () => isFreeQueue(options);
  return {
    async findQueues() {
      const rows = await reader
        .withRecursive('pending', pendingWebhooks)
        .selectFrom('pending')
        .innerJoin('webhooks', 'webhooks.id', 'pending.id')
        .selectAll('webhooks')
        .where('is_active', '=', 1)
        .where(isFree())
        .where(
          sql<boolean>`exists (
            select 1 from webhook_deliveries
            where webhook_id = webhooks.id and state = 'PENDING' and due_at <= ${now()}
          )`,
        )
        .execute();
      return rows.map(fromWebhookRow);
    },
    async holdQueues(ids) {
      if (ids.length === 0) return [];
      const rows = await writes.statement((db) =>
        db
          .updateTable('webhooks')
          .set({ instance_id: instanceId, held_until: sql<number>`${now()} + ${queueLeaseMs}` })
          .where('id', 'in', ids)
          .where('is_active', '=', 1)
          .where(isFree())
          .returning('id')
          .execute(),
      );
      return rows.map(({ id }) => id);
    },
    async releaseQueues(ids) {
      if (ids.length === 0) return;
      await writes.statement((db) =>
        db
          .updateTable('webhooks')
          .set({ instance_id: null, held_until: 0 })
          .where('id', 'in', ids)
          .where('instance_id', '=', instanceId)
          .execute(),
      );
    },
    async takeDue(webhookId, { limit, except }) {
      const rows = await reader
        .selectFrom('webhook_deliveries as due')
        .selectAll('due')
        .select(now().as('now'))
        .where('webhook_id', '=', webhookId)
        .where('state', '=', sql.lit('PENDING'))
        .where('due_at', '<=', now())
        .$if(except.length > 0, (query) => query.where('event_id', 'not in', except))
        .where((row) =>
          row.exists(
            row
              .selectFrom('webhooks')
              .select('webhooks.id')
              .where('webhooks.id', '=', webhookId)
              .where('webhooks.instance_id', '=', instanceId)
              .where('webhooks.held_until', '>', now()),
          ),
        )
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('webhook_deliveries as earlier')
                .select('earlier.event_id')
                .where('earlier.webhook_id', '=', webhookId)
                .whereRef('earlier.event_id', '=', 'due.corrects')
                .where('earlier.state', '=', 'PENDING'),
            ),
          ),
        )
        .orderBy('due_at')
        .orderBy('recorded_at')
        .limit(limit)
        .execute();
      return { now: rows[0]?.now ?? 0, deliveries: rows.map(fromDeliveryRow) };
    },
  };
}

type WebhookIds = RawBuilder<{ readonly id: string | null }>;

export const pendingWebhooks = (): WebhookIds => webhooksWithDeliveries('pending', sql`state = 'PENDING'`);

/**
 * A recursive expression of this name: ids of webhooks with such deliveries, and null. Each is found by one search of an index, so
 * the other webhooks cost nothing, however many there are.
 */
export function webhooksWithDeliveries(name: string, condition: RawBuilder<unknown>): WebhookIds {
  const first = sql`select min(webhook_id) from webhook_deliveries where ${condition}`;
  const last = sql.ref(`${name}.id`);
  return sql`(
    select (${first}) as id
    union all
    select (${first} and webhook_id > ${last}) from ${sql.table(name)} where ${last} is not null
  )`;
}

/** SQL condition on `webhooks`: this instance holds the queue, or may take it. */
function isFreeQueue({ instanceId, isShared, now }: WebhookQueuesOptions): RawBuilder<boolean> {
  if (!isShared) return sql<boolean>`1 = 1`;
  return sql<boolean>`(
    webhooks.instance_id is null or webhooks.instance_id = ${instanceId} or webhooks.held_until <= ${now()}
    or not exists (select 1 from instances where instances.id = webhooks.instance_id)
  )`;
}
