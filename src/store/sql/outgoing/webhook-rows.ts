import { type Delivery, type EndEvent, endStatuses, type Webhook } from '../../webhook-records.ts';
import { fromNameColumn, fromTextColumn, toNameColumn } from '../basics/columns.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../basics/tables.ts';

export type NewWebhookRow = Omit<WebhookRow, 'instance_id' | 'held_until'>;

export function toWebhookRow(webhook: Webhook): NewWebhookRow {
  return {
    id: webhook.id,
    owner: webhook.owner ?? '',
    url: webhook.url,
    kinds: toListColumn(webhook.kinds),
    statuses: toListColumn(webhook.statuses),
    collections: toListColumn(webhook.collections?.map(toNameColumn)),
    has_content: webhook.hasContent ? 1 : 0,
    secret: webhook.sealedSecret,
    created_at: webhook.createdAt,
    disabled_at: webhook.disabledAt ?? null,
    is_active: webhook.disabledAt === undefined ? 1 : 0,
  };
}

export function fromWebhookRow(row: NewWebhookRow): Webhook {
  return {
    id: row.id,
    owner: row.owner === '' ? undefined : row.owner,
    url: row.url,
    kinds: fromListColumn(row.kinds),
    statuses: toStatuses(fromListColumn(row.statuses)),
    collections: fromListColumn(row.collections)?.flatMap((column) => fromNameColumn(column) ?? []),
    hasContent: row.has_content === 1,
    sealedSecret: row.secret,
    createdAt: row.created_at,
    disabledAt: row.disabled_at ?? undefined,
  };
}

/** No value contains a line break: names are JSON text. */
function toListColumn(values: readonly string[] | undefined): string {
  return values ? `\n${values.join('\n')}\n` : '';
}

function fromListColumn(column: string): readonly string[] | undefined {
  return column === '' ? undefined : column.slice(1, -1).split('\n');
}

function toStatuses(names: readonly string[] | undefined): Webhook['statuses'] {
  return names && endStatuses.filter((status) => names.includes(status));
}

export function fromDeliveryRow(row: WebhookDeliveryRow): Delivery {
  return {
    webhookId: row.webhook_id,
    event: toEvent(row),
    state: row.state,
    attempts: row.attempts,
    failingSince: row.failing_since ?? undefined,
    attemptedAt: row.attempted_at ?? undefined,
    responseStatus: row.response_status ?? undefined,
    failure: row.failure ?? undefined,
  };
}

function toEvent(row: WebhookDeliveryRow): EndEvent {
  return {
    id: row.event_id,
    corrects: row.corrects ?? undefined,
    owner: row.owner,
    generationId: row.generation_id,
    kind: row.kind,
    status: row.status,
    model: fromNameColumn(row.model),
    collection: fromNameColumn(row.group_id),
    taskId: row.task_id ?? undefined,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    usage: fromTextColumn('usage', row.usage),
    error: fromTextColumn('error', row.error),
  };
}
