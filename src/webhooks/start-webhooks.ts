import { type Clock, createSystemClock } from '../lib/clock.ts';
import { createByteHolds } from '../lib/fairness/byte-holds.ts';
import { noLimits } from '../lib/fairness/fair-queue.ts';
import { createFairQueues } from '../lib/fairness/queues.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { Log } from '../lib/log.ts';
import { createMaintenanceLog } from '../lib/maintenance-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createOutgoing, type Outgoing } from '../outgoing/outgoing.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Config } from '../config.ts';
import { RecordsUnavailableError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Delivery, Webhook, WebhookRecords } from '../store/webhook-records.ts';
import { listsHost } from '../webhook-settings.ts';
import { callReceiver, type ReceiverReply } from './call-receiver.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import { createDispatcher } from './dispatcher.ts';
import { type BodyOptions, writeBody } from './event-body.ts';
import { createOwnerWebhooks, type OwnerWebhooks } from './owner-webhooks.ts';
import { observePending } from '../metrics/pending-figures.ts';
import { reportAttempt } from './report-attempt.ts';
import type { OperatorWebhook } from './operator-webhooks.ts';
import { createSecretSeals } from './seal-secret.ts';
import { decodeSecret, signatureHeaders } from './sign.ts';

export interface WebhooksOptions {
  readonly config: Pick<
    Config,
    | 'WEBHOOK_HOSTS'
    | 'WEBHOOK_TIMEOUT_SECONDS'
    | 'OWNER_WEBHOOKS'
    | 'OWNER_WEBHOOK_HOSTS'
    | 'MAX_ANSWER_BYTES'
    | 'MAX_UNSENT_BYTES'
  >;
  readonly operator: readonly OperatorWebhook[];
  readonly records: WebhookRecords;
  readonly store: BodyOptions['store'] & Pick<Store, 'secret'>;
  readonly describeOutput: BodyOptions['describeOutput'];
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}

export interface Webhooks {
  /** Deliveries need the address of files: call it after the files have started. */
  start(files: BodyOptions['files']): void;
  /** An end was recorded. Before the start, it waits. */
  wake(): void;
  close(): Promise<void>;
  /** Absent unless the operator allows them. */
  readonly ofOwners: OwnerWebhooks | undefined;
}

/** Time of open requests at a shutdown. */
const closeMs = 3000;
const secretUnreadable = 'the secret of the webhook cannot be read: delete the webhook and create another';
const hostRefused = 'the operator of this server does not allow the host';
/** Many webhooks may share an origin, and one that hangs must not delay the others. Each has few requests at a time. */
const connectionsPerOrigin = 10_000;
/** Requests for all owners at the same time: one credential can have any number of owners. */
const maxOwnerRequests = 256;

/** Delivers the recorded ends of generations. Starts nothing before `start`. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { config, operator, records, clock, log, metrics } = options;
  const { WEBHOOK_HOSTS: hosts = [], OWNER_WEBHOOK_HOSTS: ownerHosts } = config;
  const timeoutMs = config.WEBHOOK_TIMEOUT_SECONDS * 1000;
  const ofOperator = createOutgoing({ isListed: (url) => listsHost(hosts, url), connectionsPerOrigin });
  // An owner reaches a private host only if the operator names it for owners too.
  const isListed = (url: URL): boolean => listsHost(hosts, url) && listsHost(ownerHosts ?? [], url);
  const ofOwners = createOutgoing({ isListed, connectionsPerOrigin });
  const byId = new Map(operator.map((webhook) => [webhook.id, webhook]));
  const maintenance = createMaintenanceLog({ log, clock, work: 'webhook maintenance' });
  let files: BodyOptions['files'];
  let isStarted = false;
  const requests = createInFlight();
  const { MAX_ANSWER_BYTES: maxBytes, MAX_UNSENT_BYTES: maxTotalBytes } = config;
  const bodiesOfOwners = createByteHolds({ maxBytes, maxTotalBytes });
  /** Of each webhook. Their number is that of the settings. */
  const bodiesOfOperator = createByteHolds({ maxBytes });
  const inTurn = createOwnerTurns();

  const send = async (webhook: Webhook, { event }: Delivery, now: number): Promise<ReceiverReply> => {
    // What waits for a host that is no longer allowed fails, so that it is given up.
    if (webhook.owner !== undefined && ownerHosts && !listsHost(ownerHosts, new URL(webhook.url)))
      return { failure: hostRefused };
    const keys = byId.get(webhook.id)?.keys ?? findKeys(webhook, await options.store.secret());
    if (!keys) return { failure: secretUnreadable };
    const outgoing: Outgoing = webhook.owner === undefined ? ofOperator : ofOwners;
    const startedAt = clock.elapsed();
    const hold =
      webhook.owner === undefined ? bodiesOfOperator.open(webhook.id) : bodiesOfOwners.open(webhook.owner);
    try {
      const body = await writeBody(webhook, event, { ...options, files, hold }).catch(toUnwritable);
      if (typeof body !== 'string') return body;
      const sentAt = now + clock.elapsed() - startedAt;
      const headers = signatureHeaders({ id: event.id, sentAt, body, keys });
      return await callReceiver(outgoing, { url: webhook.url, headers, body, timeoutMs, now: clock.now() });
    } finally {
      hold.release();
    }
  };
  const dispatcher = createDispatcher({
    records,
    clock,
    canDeliver: ({ id, owner, url }) =>
      owner === undefined ? byId.get(id)?.url === url : config.OWNER_WEBHOOKS === 'on',
    createQueue: (webhook) =>
      createDeliveryQueue({
        webhook,
        records,
        clock,
        random: Math.random,
        inTurn: (work) => inTurn(webhook, work),
        send: (delivery, now) => requests.run(() => send(webhook, delivery, now)),
        report: (delivery, reply, outcome) =>
          reportAttempt(options, { webhook, name: byId.get(webhook.id)?.name, delivery, reply, outcome }),
      }),
    onGivenUp: (deliveries) => log.warn({ deliveries }, 'webhook deliveries failed for 72 hours; given up'),
    onError: (err) => maintenance.onError(err, 'deliveries'),
    onSuccess: () => maintenance.onSuccess('deliveries'),
  });
  const wake = (): void => {
    if (isStarted) dispatcher.wake();
  };
  if (metrics) {
    const names = { count: 'gengraph.webhook.pending', age: 'gengraph.webhook.oldest' } as const;
    observePending(metrics, names, { measurePending: () => records.measurePending(), clock });
  }
  return {
    start(startedFiles) {
      files = startedFiles;
      isStarted = true;
      wake();
    },
    ofOwners:
      config.OWNER_WEBHOOKS === 'on'
        ? createOwnerWebhooks({ ...options, hosts: ownerHosts, isListed, wake })
        : undefined,
    wake,
    close: () =>
      dispatcher.close(async () => {
        await withTimeout(requests.waitUntilIdle(), { clock: createSystemClock(), timeoutMs: closeMs });
        await Promise.all([ofOperator.close(), ofOwners.close()]);
      }),
  };
}

/** Webhooks of the operator do not wait: their number is that of the settings. */
function createOwnerTurns() {
  const queues = createFairQueues();
  const all = { key: 'owners', limits: { ...noLimits, running: maxOwnerRequests } };
  return <Result>({ owner }: Webhook, work: () => Promise<Result>): Promise<Result> =>
    owner === undefined ? work() : queues([all, { key: owner, limits: noLimits }], work);
}

/** The keys of an owner's webhook. Undefined if its secret was sealed with another key of the hashes. */
function findKeys({ id, sealedSecret }: Webhook, serverKey: Uint8Array): readonly Uint8Array[] | undefined {
  try {
    const key = decodeSecret(createSecretSeals(serverKey).open(sealedSecret, id));
    return key && [key];
  } catch {
    return undefined;
  }
}

/** An event that cannot be written, such as one whose output cannot be read, fails like others, so that it delays no other event. */
function toUnwritable(error: unknown): ReceiverReply {
  if (error instanceof RecordsUnavailableError) throw error;
  return { failure: `the event cannot be written (${error instanceof Error ? error.name : typeof error})` };
}
