import type { Clock } from '../lib/clock.ts';
import { createInFlight, type InFlight } from '../lib/in-flight.ts';
import { queueLeaseMs, type Webhook, type WebhookRecords } from '../store/webhook-records.ts';
import { type DeliveryQueue, retryMs } from './delivery-queue.ts';

/** Ends that other instances record are found after at most this time. */
const roundMs = 1000;
const giveUpMs = 60_000;

export interface DispatcherOptions {
  readonly records: Pick<WebhookRecords, 'findQueues' | 'holdQueues' | 'releaseQueues' | 'giveUp'>;
  readonly clock: Clock;
  /** Whether this instance can deliver to a webhook. */
  readonly canDeliver: (webhook: Webhook) => boolean;
  readonly createQueue: (webhook: Webhook) => DeliveryQueue;
  readonly onGivenUp: (count: number) => void;
  readonly onError: (error: unknown) => void;
  readonly onSuccess: () => void;
}

/** Works off the queues that this instance holds. */
export interface Dispatcher {
  /** Looks for due deliveries now, and from then on regularly. */
  wake(): void;
  /** Stops, and lets other instances continue. Resolves when no request is open, or `endRequests` has ended them. */
  close(endRequests: () => Promise<void>): Promise<void>;
}

interface HeldQueue {
  readonly queue: DeliveryQueue;
  readonly url: string;
  heldAt: number;
  /** Calls of `run` that have not ended. */
  readonly running: InFlight;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { records, clock, canDeliver, createQueue } = options;
  const held = new Map<string, HeldQueue>();
  let round: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;
  let givenUpAt = clock.elapsed();
  let cancelTimer = (): void => {};

  const isFresh = ({ heldAt }: HeldQueue): boolean => clock.elapsed() - heldAt < queueLeaseMs / 3;
  /** The queue of an earlier address of a webhook is over. */
  const findHeld = ({ id, url }: Webhook): HeldQueue | undefined => {
    const entry = held.get(id);
    return entry?.url === url ? entry : undefined;
  };
  const startQueue = (webhook: Webhook): void => {
    const { id, url } = webhook;
    const fresh = (): HeldQueue => ({
      queue: createQueue(webhook),
      url,
      heldAt: clock.elapsed(),
      running: createInFlight(),
    });
    const entry = findHeld(webhook) ?? fresh();
    held.set(id, entry);
    const { queue, running } = entry;
    void running.run(async () => {
      await queue.run().catch(options.onError);
      if (queue.isOver() && held.get(id) === entry) held.delete(id);
    });
  };
  const dispatch = async (): Promise<void> => {
    const due = (await records.findQueues()).filter((webhook) => {
      const known = findHeld(webhook);
      return canDeliver(webhook) && (!known || known.queue.isReady());
    });
    const inUse = [...held].filter(([, { running, queue }]) => running.count > 0 || !queue.isReady());
    const stale = inUse.filter(([, entry]) => !isFresh(entry)).map(([id]) => id);
    const free = due.filter((webhook) => {
      const known = findHeld(webhook);
      return !known || !isFresh(known);
    });
    const taken = new Set(await records.holdQueues([...new Set([...free.map(({ id }) => id), ...stale])]));
    for (const id of taken) {
      const entry = held.get(id);
      if (entry) entry.heldAt = clock.elapsed();
    }
    if (isClosed) return;
    for (const webhook of due) if (taken.has(webhook.id) || !free.includes(webhook)) startQueue(webhook);
    if (clock.elapsed() - givenUpAt >= giveUpMs) await giveUp();
  };
  const giveUp = async (): Promise<void> => {
    givenUpAt = clock.elapsed();
    for (const [id, entry] of held)
      if (entry.running.count === 0 && entry.queue.isReady() && !isFresh(entry)) held.delete(id);
    const count = await records.giveUp(retryMs);
    if (count > 0) options.onGivenUp(count);
  };
  const startRound = (): void => {
    isWoken = true;
    if (round || isClosed) return;
    isWoken = false;
    cancelTimer();
    round = dispatch()
      .then(options.onSuccess, options.onError)
      .finally(() => {
        round = undefined;
        if (isClosed) return;
        cancelTimer = clock.after(roundMs, startRound);
        if (isWoken) startRound();
      });
  };
  return {
    wake: startRound,
    async close(endRequests) {
      isClosed = true;
      cancelTimer();
      for (const { queue } of held.values()) queue.stop();
      await round;
      await endRequests();
      await Promise.all([...held.values()].map(({ running }) => running.waitUntilIdle()));
      await records.releaseQueues([...held.keys()]).catch(options.onError);
    },
  };
}
