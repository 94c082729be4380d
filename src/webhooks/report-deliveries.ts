import type { Log } from '../lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Delivery, Webhook } from '../store/webhook-records.ts';
import type { ReceiverReply } from './call-receiver.ts';
import type { Outcome } from './delivery-queue.ts';

interface AttemptFacts {
  readonly delivery: Delivery;
  readonly reply: ReceiverReply;
  readonly outcome: Outcome;
}

export interface DeliveryReport {
  attempt(webhook: Webhook, facts: AttemptFacts): void;
  givenUp(count: number): void;
}

export interface DeliveryReportOptions {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** The name of a webhook of the operator. */
  readonly nameOf: (id: string) => string | undefined;
}

const lines = {
  delivered: ['debug', 'webhook delivered'],
  failed: ['warn', 'webhook delivery failed; retrying'],
  'given-up': ['warn', 'webhook delivery failed for 72 hours; given up'],
  disabled: ['warn', 'webhook disabled: its receiver answered 410'],
} as const satisfies Record<Outcome, readonly [keyof Log, string]>;

/** Lines and figures of deliveries. They have neither addresses, which may hold secrets, nor bodies. */
export function createDeliveryReport({ log, metrics, nameOf }: DeliveryReportOptions): DeliveryReport {
  const count = (outcome: Outcome, webhook: string, deliveries = 1): void =>
    metrics?.add('gengraph.webhook.deliveries', deliveries, {
      'gengraph.webhook.name': webhook,
      'gengraph.webhook.outcome': outcome,
    });
  return {
    attempt({ id, owner }, { delivery, reply, outcome }) {
      const { event, attempts } = delivery;
      const name = nameOf(id);
      count(outcome, name ?? ownersName);
      const [level, message] = lines[outcome];
      log[level](
        {
          webhook: name ?? id,
          owner,
          eventId: event.id,
          generationId: event.generationId,
          attempts: attempts + 1,
          status: reply.status,
          reason: reply.failure,
        },
        message,
      );
    },
    givenUp(deliveries) {
      log.warn({ deliveries }, 'webhook deliveries failed for 72 hours; given up');
    },
  };
}

/** Owners' webhooks share a name in the figures. */
const ownersName = '_OWNERS';
