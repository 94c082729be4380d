import type { GraphQLError } from 'graphql';
import { RateLimitError, RequestError } from '../../errors.ts';
import { findIdempotencyKey } from '../../graphql/create.ts';
import { packFeedCursor } from '../../graphql/feed-cursor.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Json, stringifyJson } from '../../lib/json.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { createOutgoing } from '../../outgoing/outgoing.ts';
import type { CallbackRecord } from '../../store/callback-records.ts';
import type { OperationArgs } from '../operation/execution.ts';
import type { Operation } from '../operation/operation.ts';
import { createAllowedUrls } from './allowed-urls.ts';
import { type CallbackBody, fromRecordBody, toRecordBody } from './callback-body.ts';
import { type CallbackRequest, readCallbackRequest, recordIdOf } from './callback-request.ts';
import { type CallbackHost, CallbackSubscription } from './callback-subscription.ts';
import { createOpenEvents, type OpenEventsOptions } from './open-events.ts';
import { createProgressSaves } from './progress-saves.ts';
import { toResumable, type ToResume } from './resumable-operation.ts';
import { createRouterPosts } from './router-posts.ts';
import { createTakeovers } from './takeovers.ts';

export interface CallbacksOptions extends OpenEventsOptions {
  /** Where events may be posted: `CALLBACK_URLS`. */
  readonly urls: readonly string[];
  readonly maxOpenPerOwner: number;
  readonly clock: Clock;
}

/** Subscriptions whose events are posted to an address of a router. Any instance can continue them. */
export interface Callbacks {
  /**
   * Undefined if the request asks for no callbacks.
   * @throws RequestError if it asks for what cannot be done
   */
  read(accept: string | undefined, extensions: unknown): CallbackRequest | undefined;
  /**
   * Records a subscription, checks its router, and opens it. Returns the errors that prevent it.
   * @throws RateLimitError RequestError RecordsUnavailableError
   */
  open(
    request: CallbackRequest,
    operation: Operation,
    prepared: OperationArgs,
  ): Promise<readonly GraphQLError[] | undefined>;
  /** Continues the subscriptions of dead instances, from now on. */
  start(): void;
  /** Lets other instances take the subscriptions. Those that nobody takes go on. */
  drain(): void;
  readonly size: number;
  close(): Promise<void>;
}

const checkFailed =
  'The callbackUrl did not accept a check. Nothing was sent. Its router must answer with a status of 200 to 299.';
/** Text of its operation and variables. A row holds it. */
const maxOperationChars = 200_000;
/** Time for the posts in flight when the server drains, and for others to take the subscriptions. */
const moveMs = 1000;
const connections = 64;

export function createCallbacks(options: CallbacksOptions): Callbacks {
  const { engine, clock, maxOpenPerOwner } = options;
  const { store, log, metrics } = engine;
  const records = store.callbacks;
  const allowed = createAllowedUrls(options.urls);
  const outgoing = createOutgoing({
    isListed: (url) => allowed.hasOrigin(url),
    connectionsPerOrigin: connections,
  });
  const openEvents = createOpenEvents(options);
  const subscriptions = new Map<string, CallbackSubscription>();
  let moved: Promise<void> | undefined;
  const host: CallbackHost = {
    clock,
    log,
    posts: createRouterPosts({ outgoing, clock, random: Math.random, metrics }),
    saves: createProgressSaves(records, clock),
    async reopen(subscription) {
      const { generationId: before } = subscription;
      const opened = await openEvents.again(subscription);
      const { id, generationId } = subscription;
      if (generationId !== undefined && before === undefined) await records.setGeneration(id, generationId);
      return opened;
    },
    mayPost: () => moved,
    remove: (id) => records.remove(id),
    onEnd: ({ id }) => void subscriptions.delete(id),
  };
  metrics?.observe('gengraph.callbacks', () => subscriptions.size);

  const takeovers = createTakeovers({
    records,
    clock,
    log,
    metrics,
    subscriptions,
    begin(record) {
      const body = fromRecordBody(record.body);
      const subscription = new CallbackSubscription(host, record, { body, expired: openEvents.expired });
      subscriptions.set(record.id, subscription);
      // The router's time may be almost over. The events follow when they are open.
      void subscription.check();
      void subscription.run();
    },
    isAllowed: ({ body }) => {
      const url = URL.parse(fromRecordBody(body).request.url);
      return url !== null && allowed.has(url);
    },
  });

  /** Records it. Returns undefined if it is recorded already, so that its router gets its events. */
  const add = async (record: CallbackRecord): Promise<'added' | 'exists'> => {
    if (subscriptions.size === 0) await records.lease?.renew();
    const outcome = await records.add(record, maxOpenPerOwner);
    if (outcome === 'full')
      throw new RateLimitError(
        'Too many callback subscriptions are open for this caller. Close some of them, then retry.',
        { retryAfterSeconds: 1, setting: 'MAX_OPEN_PER_OWNER' },
      );
    return outcome;
  };

  const open: Callbacks['open'] = async (request, operation, prepared) => {
    const caller = prepared.contextValue.caller;
    if (!caller)
      throw new RequestError('UNAUTHENTICATED', 'A callback subscription needs a credential.');
    const resumed = toResumable(prepared);
    const body = toBody(request, resumed, prepared);
    const position = await firstPosition(resumed, caller.owner);
    const record: CallbackRecord = {
      id: recordIdOf(caller.owner, request),
      owner: caller.owner,
      body: toRecordBody(body),
      position,
      isPosting: false,
      expiresAt: caller.token?.expiresAt,
    };
    if ((await add(record)) === 'exists') {
      const known = await records.find(record.id);
      const isSame = known && fromRecordBody(known.body).request.verifier === request.verifier;
      if (!isSame) throw new RequestError('BAD_REQUEST', 'This subscriptionId is in use.');
      operation.release();
      return undefined;
    }
    const subscription = new CallbackSubscription(host, record, {
      body,
      caller,
      expired: openEvents.expired,
    });
    subscriptions.set(record.id, subscription);
    const abandon = async (): Promise<void> => {
      subscription.drop();
      await records.remove(record.id).catch(() => {});
    };
    try {
      const outcome = await subscription.check({ isFirst: true });
      if (outcome !== 'accepted') throw new RequestError('BAD_REQUEST', checkFailed);
      const opened = await openEvents.first(operation, prepared);
      if (!('events' in opened)) {
        await abandon();
        return opened;
      }
      const { generationId } = prepared.contextValue.notes ?? {};
      if (resumed.isCreate && generationId !== undefined) {
        subscription.generationId = generationId;
        await records.setGeneration(record.id, generationId).catch(() => {});
      }
      void subscription.run(opened);
      return undefined;
    } catch (error) {
      await abandon();
      throw error;
    }
  };

  /** Where the events begin that the client did not get, if the first instance dies before it posts one. */
  const firstPosition = async ({ args, isFeed }: ToResume, owner: string): Promise<Json | undefined> => {
    const after = args?.['after'];
    if (typeof after === 'number' || typeof after === 'string') return after;
    return isFeed ? packFeedCursor(await engine.generationFeeds.findLast(owner)) : undefined;
  };

  return {
    read: (accept, extensions) => readCallbackRequest(accept, extensions, allowed),
    open,
    start: () => takeovers.start(),
    drain() {
      if (!records.lease) return;
      const move = async (): Promise<void> => {
        const settled = Promise.allSettled([...subscriptions.values()].map((one) => one.settle()));
        await withTimeout(settled, { clock, timeoutMs: moveMs / 2 });
        await takeovers.offer();
        await new Promise<void>((resolve) => clock.after(moveMs, resolve));
        moved = undefined;
      };
      moved ??= move();
    },
    get size() {
      return subscriptions.size;
    },
    async close() {
      takeovers.close();
      for (const subscription of [...subscriptions.values()]) subscription.drop();
      await outgoing.close();
    },
  };
}

/** @throws RequestError LIMIT_EXCEEDED if the record would be too large */
function toBody(request: CallbackRequest, resumed: ToResume, { contextValue }: OperationArgs): CallbackBody {
  const { operation, responseKey, isCreate, args } = resumed;
  const key = args?.['idempotencyKey'];
  const creation = isCreate
    ? findIdempotencyKey(
        { idempotencyKey: typeof key === 'string' ? key : undefined },
        contextValue,
        responseKey,
      )
    : undefined;
  const chars = operation.document.length + stringifyJson(operation.variables).length;
  if (chars > maxOperationChars)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `A callback subscription has at most ${maxOperationChars} characters of document and variables, without the input of a create.`,
    );
  return { request, operation, creation };
}
