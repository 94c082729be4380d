import type { Kysely } from 'kysely';
import { createIndexes } from './create-indexes.ts';

/** Adds webhooks and their deliveries. Triggers of each engine write these, so they include ends that older versions record. */
export async function addWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('generations').addColumn('end_event', 'text').execute();
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('kinds', 'text', (column) => column.notNull())
    .addColumn('statuses', 'text', (column) => column.notNull())
    .addColumn('collections', 'text', (column) => column.notNull())
    .addColumn('has_content', 'integer', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('instance_id', 'text')
    .addColumn('held_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await createIndexes(db, 'webhooks_by_owner on webhooks (owner, created_at, id)');
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('corrects', 'text')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('generation_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint', (column) => column.notNull())
    .addColumn('usage', 'text')
    .addColumn('error', 'text')
    .addColumn('recorded_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('PENDING'))
    .addColumn('due_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('failing_since', 'bigint')
    .addColumn('attempted_at', 'bigint')
    .addColumn('response_status', 'integer')
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('webhook_deliveries_key', ['webhook_id', 'event_id'])
    .execute();
  await createIndexes(
    db,
    "webhook_deliveries_pending on webhook_deliveries (webhook_id, due_at, recorded_at) where state = 'PENDING'",
    "webhook_deliveries_failing on webhook_deliveries (failing_since) where state = 'PENDING'",
    'webhook_deliveries_by_time on webhook_deliveries (webhook_id, recorded_at, event_id)',
  );
}
