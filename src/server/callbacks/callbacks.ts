import type { Clock } from '../../lib/clock.ts';
import { createInFlight } from '../../lib/in-flight.ts';
import { wait } from '../../lib/wait.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { createOutgoing } from '../../outgoing/outgoing.ts';
import { createEventPreparation } from '../operation/event-preparation.ts';
import { createAllowedUrls } from './allowed-urls.ts';
import { fromRecordBody } from './callback-body.ts';
import { type CallbackRequest, readCallbackRequest } from './callback-request.ts';
import { type CallbackHost, CallbackSubscription } from './callback-subscription.ts';
import { createOpenCallback, type OpenCallback } from './open-callback.ts';
import { createOpenEvents, type OpenEventsOptions } from './open-events.ts';
import { createProgressSaves } from './progress-saves.ts';
import { createRouterPosts, maxConnections } from './router-posts.ts';
import { createTakeovers } from './takeovers.ts';

export interface CallbacksOptions extends OpenEventsOptions {
  /** Where events may be posted: `CALLBACK_URLS`. */
  readonly urls: readonly string[];
  readonly maxOpenPerOwner: number;
  /** Bytes of large events of all owners that wait for their routers. */
  readonly maxUnsentBytes: number;
  readonly clock: Clock;
}

/** Subscriptions whose events are posted to an address of a router. Any instance can continue them. */
export interface Callbacks {
  /**
   * Undefined if the request asks for no callbacks.
   * @throws RequestError if it asks for what cannot be done
   */
  read(accept: string | undefined, extensions: unknown): CallbackRequest | undefined;
  readonly open: OpenCallback;
  /** Continues the subscriptions of dead instances, from now on. */
  start(): void;
  /**
   * Lets other instances take the subscriptions. Those that nobody takes go on. Call it when no request opens more. Resolves when
   * those that were opening are open, or after 3 seconds.
   */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Longest wait for subscriptions that open: most record their create sooner, so that the next instance finds it. */
const openMs = 3000;
/** Time for other instances to take the subscriptions of one that drains. Half of it is for the posts in flight. */
const moveMs = 1000;
/** Between two attempts to remove a record. */
const retryMs = 500;

export function createCallbacks(options: CallbacksOptions): Callbacks {
  const { engine, clock, maxOpenPerOwner } = options;
  const { store, log, metrics } = engine;
  const records = store.callbacks;
  const allowed = createAllowedUrls(options.urls);
  const isListed = (url: URL): boolean => allowed.hasOrigin(url);
  const outgoing = createOutgoing({ isListed, connectionsPerOrigin: maxConnections });
  // Of its own: a router that answers late delays no event of another client.
  const preparation = createEventPreparation({
    maxBytes: engine.maxAnswerBytes,
    maxTotalBytes: options.maxUnsentBytes,
    turns: options.eventTurns,
    clock,
  });
  const openEvents = createOpenEvents({ ...options, preparation });
  const subscriptions = new Map<string, CallbackSubscription>();
  const opening = new Set<string>();
  const openings = createInFlight();
  /** While other instances may take the subscriptions: until then, nothing is posted. */
  let moved: Promise<void> | undefined;
  let offered: Promise<void> | undefined;
  const host: CallbackHost = {
    clock,
    log,
    posts: createRouterPosts({ outgoing, clock, random: Math.random, metrics }),
    saves: createProgressSaves(records, clock),
    isShared: records.lease !== undefined,
    async reopen(subscription) {
      const { id, generationId: before } = subscription;
      const opened = await openEvents.again(subscription);
      // Without it, the next takeover finds the generation by its key too.
      if (subscription.generationId !== undefined && before === undefined)
        await records.setGeneration(id, subscription.generationId).catch(() => {});
      return opened;
    },
    expired: openEvents.expired,
    toError: openEvents.failed,
    mayPost: () => moved,
    async remove(id) {
      if (subscriptions.has(id) || opening.has(id)) return;
      try {
        await records.remove(id);
      } catch {
        // Otherwise nobody posts its events, and a request that its router repeats gets none.
        clock.after(retryMs, () => void host.remove(id));
      }
    },
    onEnd: ({ id }) => void subscriptions.delete(id),
  };
  const takeovers = createTakeovers({
    records,
    clock,
    log,
    metrics,
    subscriptions,
    opening,
    begin(record) {
      const body = fromRecordBody(record.body);
      const url = URL.parse(body?.request.url ?? '');
      if (!body || !url || !allowed.has(url)) return false;
      const subscription = new CallbackSubscription(host, record, { body });
      subscriptions.set(record.id, subscription);
      subscription.resume();
      return true;
    },
  });
  metrics?.observe('gengraph.callbacks', () => subscriptions.size);
  const parts = { engine, records, openEvents, host, subscriptions, opening, maxOpenPerOwner };
  const open = createOpenCallback(parts);
  const offer = async (opened: Promise<unknown>): Promise<void> => {
    await opened;
    moved = move();
    // Their positions are exact then, so that the takeover repeats nothing.
    const settled = Promise.allSettled([...subscriptions.values()].map((one) => one.settle()));
    await withTimeout(settled, { clock, timeoutMs: moveMs / 2 });
    await takeovers.offer();
  };
  const move = async (): Promise<void> => {
    await offered;
    await wait(clock, moveMs);
    moved = undefined;
  };
  return {
    read: (accept, extensions) => readCallbackRequest(accept, extensions, allowed),
    open: (...args) => openings.run(() => open(...args)),
    start: () => takeovers.start(),
    async drain() {
      const opened = withTimeout(openings.waitUntilIdle(), { clock, timeoutMs: openMs });
      // Without other instances, the subscriptions go on until the process ends.
      if (records.lease) offered ??= offer(opened);
      await opened;
    },
    async close() {
      await offered;
      takeovers.close();
      for (const subscription of subscriptions.values()) subscription.drop();
      await outgoing.close();
    },
  };
}
