import { backOffMs } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import { throwFirstFailure } from '../lib/throw-first-failure.ts';
import { dayMs, hourMs } from '../lib/time.ts';
import {
  type Attempt,
  type Delivery,
  queueLeaseMs,
  type Webhook,
  type WebhookRecords,
} from '../store/webhook-records.ts';
import type { ReceiverReply } from './call-receiver.ts';

/** How long an event is retried. */
export const retryMs = 3 * dayMs;

/** Requests to one receiver at the same time. */
const concurrency = 4;
const batchSize = 20;
/** After this time, by the time of day, another instance may have the queue: this one was frozen, or its receiver is slow. */
const takenMs = queueLeaseMs / 3;
/**
 * Attempts between two deletions of old deliveries. The first deletes: the queue of a webhook with few events is forgotten soon.
 * So does the last one of a webhook that is disabled.
 */
const trimInterval = 20;

const delays = { firstMs: 5000, maxMs: hourMs };

/** After so many failures in a row, of any events, the receiver is away: it gets one request at a time, each after a pause. */
const failuresToPause = 3;
const pauses = { firstMs: 5000, maxMs: 300_000 };

const unrecordedPauseMs = 30_000;

export interface DeliveryQueueOptions {
  readonly webhook: Webhook;
  readonly records: Pick<
    WebhookRecords,
    'takeDue' | 'saveAttempt' | 'retryAll' | 'markFailing' | 'disable' | 'trim'
  >;
  readonly clock: Clock;
  readonly random: () => number;
  /** Runs work when a request may be open: webhooks may have a limit together. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Sends an event. `now` is the time of the clock of leases. */
  readonly send: (delivery: Delivery, now: number) => Promise<ReceiverReply>;
  readonly report: (delivery: Delivery, reply: ReceiverReply, outcome: Outcome) => void;
}

/** `disabled`: the receiver answered 410. */
export type Outcome = 'delivered' | 'failed' | 'given-up' | 'disabled';

/** The deliveries of one webhook. A receiver that is slow or away delays only its own. */
export interface DeliveryQueue {
  /** Delivers what is due. Resolves when nothing more is due, or the receiver needs a pause. Calls may overlap. */
  run(): Promise<void>;
  /** Whether the receiver needs no pause now. */
  isReady(): boolean;
  /** Whether the webhook was disabled. */
  isOver(): boolean;
  /** Starts no more requests. */
  stop(): void;
}

export function createDeliveryQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const { webhook, records, clock, random } = options;
  const { id } = webhook;
  const inFlight = new Set<string>();
  const taken = createTaken(clock);
  let taking: Promise<void> | undefined;
  /** Of the clock of leases, to the elapsed time. */
  let offsetMs = 0;
  let workers = 0;
  let attempts = 0;
  /** Failures since the last success. */
  let failures = 0;
  let pausedUntil = 0;
  let isStopped = false;
  let isDisabled = false;

  const isReady = (): boolean => !isStopped && !isDisabled && clock.elapsed() >= pausedUntil;
  const isAway = (): boolean => failures >= failuresToPause;
  const take = async (): Promise<void> => {
    const readAt = clock.now();
    const due = await records.takeDue(id, { limit: isAway() ? 1 : batchSize, except: [...inFlight] });
    offsetMs = due.now - clock.elapsed();
    taken.replace(due.deliveries, readAt);
  };
  const takeNext = async (): Promise<Delivery | undefined> => {
    while (isReady() && !(isAway() && inFlight.size > 0)) {
      const first = taken.shift();
      if (first) {
        // At once: another worker may read what is due now.
        inFlight.add(first.event.id);
        return first;
      }
      await (taking ??= take().finally(() => (taking = undefined)));
      if (taken.isEmpty()) return undefined;
    }
    return undefined;
  };
  const onSuccess = async (): Promise<void> => {
    const wasAway = isAway();
    failures = 0;
    if (wasAway) await records.retryAll(id);
  };
  /** Returns how long to wait with another attempt: at least `askedMs`. */
  const onFailure = async ({ attempts: earlier }: Delivery, askedMs: number): Promise<number> => {
    failures += 1;
    const pauseMs = Math.max(askedMs, isAway() ? backOffMs(failures, pauses) : 0);
    pausedUntil = Math.max(pausedUntil, clock.elapsed() + pauseMs);
    if (!isAway()) return Math.max(askedMs, backOffMs(earlier + 1, delays) * (0.8 + 0.4 * random()));
    // The event is not to blame: it is due with the others as soon as the receiver may be called.
    taken.clear();
    await records.markFailing(id);
    return pauseMs;
  };
  const attempt = async (delivery: Delivery): Promise<void> => {
    const reply = await options.send(delivery, clock.elapsed() + offsetMs);
    // The server stops, and has ended the request.
    if (isStopped && reply.status === undefined) return;
    const outcome = toOutcome(delivery, reply, clock.elapsed() + offsetMs);
    const { status: responseStatus, failure } = reply;
    isDisabled ||= outcome === 'disabled';
    const isFailure = outcome === 'failed' || outcome === 'given-up';
    const delayMs = isFailure ? await onFailure(delivery, askedMsOf(reply)) : 0;
    const saved: Attempt = { state: stateOf[outcome], responseStatus, failure, delayMs };
    const isPending = await records.saveAttempt({ webhookId: id, eventId: delivery.event.id }, saved);
    // The webhook may have been deleted: reads again what waits.
    if (!isPending) taken.clear();
    if (outcome === 'disabled') await records.disable(webhook, 'the receiver answered 410');
    if (outcome === 'delivered') await onSuccess();
    options.report(delivery, reply, outcome);
    attempts += 1;
    if (outcome === 'disabled' || attempts % trimInterval === 1) await records.trim(id);
  };
  /** Takes an event only when it may be sent. Its webhook may be deleted while it waits. Returns whether there was one. */
  const deliverNext = async (): Promise<boolean> => {
    const delivery = await takeNext();
    await (delivery && attempt(delivery).finally(() => inFlight.delete(delivery.event.id)));
    return delivery !== undefined;
  };
  const work = async (): Promise<void> => {
    workers += 1;
    try {
      while (await options.inTurn(deliverNext));
    } catch (error) {
      // What cannot be recorded would be sent again and again.
      pausedUntil = clock.elapsed() + unrecordedPauseMs;
      isDisabled = false;
      throw error;
    } finally {
      workers -= 1;
    }
  };
  return {
    async run() {
      throwFirstFailure(await Promise.allSettled(Array.from({ length: concurrency - workers }, work)));
    },
    isReady,
    isOver: () => isDisabled,
    stop: () => void (isStopped = true),
  };
}

/** Due deliveries that were read. */
function createTaken(clock: Pick<Clock, 'now'>) {
  let deliveries: readonly Delivery[] = [];
  let readAt = 0;
  return {
    /** @param at when the read began, by the time of day: the elapsed time of the clock does not count a pause of the process */
    replace(read: readonly Delivery[], at: number): void {
      deliveries = read;
      readAt = at;
    },
    clear: (): void => void (deliveries = []),
    isEmpty: (): boolean => deliveries.length === 0,
    shift(): Delivery | undefined {
      const [first, ...others] = clock.now() - readAt < takenMs ? deliveries : [];
      deliveries = others;
      return first;
    },
  };
}

/** The delivery of a webhook that was disabled fails with all others of it. */
const stateOf = {
  delivered: 'DELIVERED',
  failed: 'PENDING',
  'given-up': 'FAILED',
  disabled: 'PENDING',
} as const satisfies Record<Outcome, Attempt['state']>;

/** How long the receiver asks to wait, within the longest delay. */
function askedMsOf({ retryAfterSeconds = 0 }: ReceiverReply): number {
  return Math.min(retryAfterSeconds * 1000, delays.maxMs);
}

function toOutcome({ failingSince }: Delivery, { status, failure }: ReceiverReply, now: number): Outcome {
  if (failure === undefined) return 'delivered';
  if (status === 410) return 'disabled';
  return failingSince !== undefined && now - failingSince >= retryMs ? 'given-up' : 'failed';
}
