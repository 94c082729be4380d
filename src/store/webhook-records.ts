import { dayMs } from '../lib/time.ts';
import type { PendingWork } from '../metrics/pending-figures.ts';
import type { Generation, GenerationKind, TaskStatus } from './records.ts';

/** The statuses of ended generations. */
export const endStatuses = [
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'UNKNOWN',
] as const satisfies readonly TaskStatus[];
export type EndStatus = (typeof endStatuses)[number];

/** Which ends a webhook gets. An absent list allows all. */
export interface WebhookFilter {
  readonly kinds?: readonly GenerationKind[] | undefined;
  readonly statuses?: readonly EndStatus[] | undefined;
  readonly collections?: readonly string[] | undefined;
}

/** What the records hold of each webhook. Times are milliseconds since the epoch. */
export interface Webhook extends WebhookFilter {
  readonly id: string;
  /** Absent for a webhook of the operator, which gets the ends of all owners. */
  readonly owner?: string | undefined;
  readonly url: string;
  /** Whether its events have the prompt and the reply. */
  readonly hasContent: boolean;
  /** Encrypted. Empty for a webhook of the operator: its secrets are in the settings. */
  readonly sealedSecret: string;
  readonly createdAt: number;
  /** When its receiver answered 410. It gets no events from then on. */
  readonly disabledAt?: number | undefined;
}

/** The end of a generation, as it was recorded in the transaction of the end. A later change does not change it. */
export interface EndEvent extends Pick<
  Generation,
  'owner' | 'kind' | 'status' | 'model' | 'collection' | 'taskId' | 'createdAt' | 'usage' | 'error'
> {
  /** The same for all webhooks, and for all attempts. */
  readonly id: string;
  /** The event of the end that this one replaces. */
  readonly corrects?: string | undefined;
  readonly generationId: string;
  readonly finishedAt: number;
}

/** PENDING until it is DELIVERED, or FAILED for good. */
export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED';

/** An event on its way to one webhook. */
export interface Delivery {
  readonly webhookId: string;
  readonly event: EndEvent;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When the first attempt failed, by the clock of leases. */
  readonly failingSince?: number | undefined;
  /** The last attempt, by the clock of leases. */
  readonly attemptedAt?: number | undefined;
  /** Status of the last reply. Absent if there was none. */
  readonly responseStatus?: number | undefined;
  /** Why the last attempt failed. */
  readonly failure?: string | undefined;
}

/** Identifies a delivery. */
export interface DeliveryRef {
  readonly webhookId: string;
  readonly eventId: string;
}

/** What an attempt led to. */
export interface Attempt {
  readonly state: DeliveryState;
  readonly responseStatus?: number | undefined;
  readonly failure?: string | undefined;
  /** For a delivery that stays PENDING. */
  readonly delayMs?: number | undefined;
}

/** Deliveries that are due, with the time of the clock of leases. */
export interface DueDeliveries {
  readonly now: number;
  readonly deliveries: readonly Delivery[];
}

export interface DueSelection {
  readonly limit: number;
  /** Ids of events to leave out. */
  readonly except: readonly string[];
}

/** Which webhooks get events, by the settings of this server. */
export interface WebhookSetup {
  readonly operator: readonly Omit<Webhook, 'owner' | 'createdAt' | 'disabledAt' | 'sealedSecret'>[];
  /** Whether owners may have webhooks. */
  readonly forOwners: boolean;
}

/** How long a frozen instance keeps a queue. That of a dead one is free as soon as its death is known. */
export const queueLeaseMs = 30_000;

/** A webhook of an owner who has never made a generation is deleted after this time. */
export const unusedWebhookMs = 7 * dayMs;

export interface WebhookExpiry {
  /** Deletes webhooks created before this time whose owner has never made a generation. Absent: deletes none. */
  readonly webhooksBefore?: number | undefined;
  /** Whether the owners whom the server's key serves have signed in: their webhooks are kept. @default false */
  readonly areHeldOwnersVerified?: boolean | undefined;
}

/** Webhooks of one owner. */
export const maxWebhooks = 10;

/** Ended deliveries that are kept for each webhook. */
export const keptDeliveries = 100;

/**
 * The outbox: deliveries are written by triggers, in the transactions that end generations, for each webhook that matches. The
 * queue of a webhook is worked off by the instance that holds its lease.
 */
export interface WebhookRecords {
  /** Webhooks with due deliveries whose queue this instance holds, or could take. Costs nothing for webhooks without pending ones. */
  findQueues(): Promise<readonly Webhook[]>;
  /** Takes or renews the leases of queues. Returns the ids of those that this instance holds. */
  holdQueues(ids: readonly string[]): Promise<readonly string[]>;
  /** Ends leases of this instance. */
  releaseQueues(ids: readonly string[]): Promise<void>;
  /**
   * Due deliveries of a queue that this instance holds. An event waits until the one that it corrects is delivered or has failed
   * for good.
   */
  takeDue(webhookId: string, selection: DueSelection): Promise<DueDeliveries>;
  /** Records an attempt. Returns false if the delivery has ended, or was deleted with its webhook. */
  saveAttempt(delivery: DeliveryRef, attempt: Attempt): Promise<boolean>;
  /** The receiver answers again: whatever waits for it is due now. */
  retryAll(webhookId: string): Promise<void>;
  /** The receiver fails: deliveries that wait for it count as failing, even without an attempt of their own. */
  markFailing(webhookId: string): Promise<void>;
  /** Gives up deliveries that have failed for this time. Returns their number. Also mends times of a clock that was set back. */
  giveUp(failedMs: number): Promise<number>;
  /** The receiver answered 410. Its pending deliveries fail. Does nothing if the webhook has another address meanwhile. */
  disable(webhook: Pick<Webhook, 'id' | 'url'>, failure: string): Promise<void>;
  /** Deletes ended deliveries of a webhook beyond those that are kept. */
  trim(webhookId: string): Promise<void>;
  /** Number of pending deliveries, and the age of the oldest in milliseconds. */
  measurePending(): Promise<PendingWork>;

  /** Returns false if the owner has this many already. */
  insert(webhook: Webhook, maxOfOwner: number): Promise<boolean>;
  /** Oldest first. */
  listOf(owner: string): Promise<readonly Webhook[]>;
  find(owner: string, id: string): Promise<Webhook | undefined>;
  /** Deletes its deliveries too. Returns false if the owner has no such webhook. */
  delete(owner: string, id: string): Promise<boolean>;
  /** Newest first. */
  listDeliveries(webhookId: string, limit: number): Promise<readonly Delivery[]>;
  /**
   * Makes deliveries pending again, except ends that failed for good and whose correction was delivered. Returns those that are
   * kept, without `eventIds` the newest of them.
   * @param eventIds default: those that failed
   */
  redeliver(webhookId: string, eventIds?: readonly string[]): Promise<readonly Delivery[]>;
}
