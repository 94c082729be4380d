import type { Log } from '../lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Delivery, Webhook } from '../store/webhook-records.ts';
import type { ReceiverReply } from './call-receiver.ts';
import type { Outcome } from './delivery-queue.ts';

interface AttemptFacts {
  readonly webhook: Webhook;
  /** Of a webhook of the operator. */
  readonly name: string | undefined;
  readonly delivery: Delivery;
  readonly reply: ReceiverReply;
  readonly outcome: Outcome;
}

const lines = {
  delivered: ['debug', 'webhook delivered'],
  failed: ['warn', 'webhook delivery failed; retrying'],
  'given-up': ['warn', 'webhook delivery failed for 72 hours; given up'],
  disabled: ['warn', 'webhook disabled: its receiver answered 410'],
} as const satisfies Record<Outcome, readonly [keyof Log, string]>;

/** Owners' webhooks share a name in the figures. */
const ownersName = '_OWNERS';

/** Logs and counts an attempt. Without addresses, which may hold secrets, and bodies. */
export function reportAttempt(
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics | undefined },
  { webhook: { id, owner }, name, delivery: { event, attempts }, reply, outcome }: AttemptFacts,
): void {
  metrics?.add('gengraph.webhook.deliveries', 1, {
    'gengraph.webhook.name': name ?? ownersName,
    'gengraph.webhook.outcome': outcome,
  });
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
}
