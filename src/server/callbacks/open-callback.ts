import type { GraphQLError } from 'graphql';
import { RateLimitError, RequestError } from '../../errors.ts';
import type { Engine } from '../../generations/engine.ts';
import { findIdempotencyKey } from '../../graphql/create.ts';
import { packFeedCursor } from '../../graphql/feed-cursor.ts';
import { type Json, stringifyJson } from '../../lib/json.ts';
import type { CallbackRecord, CallbackRecords } from '../../store/callback-records.ts';
import type { OperationArgs } from '../operation/execution.ts';
import type { Operation } from '../operation/operation.ts';
import { type CallbackBody, fromRecordBody, recordIdOf, toRecordBody } from './callback-body.ts';
import type { CallbackRequest } from './callback-request.ts';
import { type CallbackHost, CallbackSubscription } from './callback-subscription.ts';
import type { OpenEvents } from './open-events.ts';
import { toResumable, type ToResume } from './resumable-operation.ts';
import type { PostOutcome } from './router-posts.ts';

export interface OpenCallbackOptions {
  readonly engine: Pick<Engine, 'generationFeeds'>;
  readonly records: CallbackRecords;
  readonly openEvents: OpenEvents;
  readonly host: CallbackHost;
  /** Those that this instance posts. */
  readonly subscriptions: Map<string, CallbackSubscription>;
  /** The ids of those that it records now. */
  readonly opening: Set<string>;
  readonly maxOpenPerOwner: number;
}

/**
 * Records a subscription, checks its router, and opens it. Returns the errors that prevent it.
 * @throws RateLimitError RequestError RecordsUnavailableError
 */
export type OpenCallback = (
  request: CallbackRequest,
  operation: Operation,
  prepared: OperationArgs,
) => Promise<readonly GraphQLError[] | undefined>;

/** Text of its operation and variables. A row holds it. */
const maxOperationChars = 200_000;

export function createOpenCallback(options: OpenCallbackOptions): OpenCallback {
  const { records, openEvents, host, subscriptions } = options;
  return async (request, operation, prepared) => {
    const { caller, notes } = prepared.contextValue;
    if (!caller) throw new RequestError('UNAUTHENTICATED', 'A callback subscription needs a credential.');
    const resumed = toResumable(prepared);
    const body = toBody(request, resumed, prepared);
    const record: CallbackRecord = {
      id: recordIdOf(caller.owner, request),
      owner: caller.owner,
      body: toRecordBody(body),
      position: await firstPosition(options, resumed, caller.owner),
      isPosting: false,
      expiresAt: caller.token?.expiresAt,
    };
    if (!(await add(options, record, request))) {
      operation.release();
      return undefined;
    }
    const subscription = new CallbackSubscription(host, record, { body, caller });
    subscriptions.set(record.id, subscription);
    const abandon = async (): Promise<void> => {
      subscription.drop();
      await host.remove(record.id);
    };
    try {
      const checked = await subscription.check({ isFirst: true });
      if (checked !== 'accepted') throw checkFailed(checked);
      const isAwaited = (): boolean => !subscription.isOver;
      const contextValue = { ...prepared.contextValue, isAwaited };
      const opened = await openEvents.first(operation, { ...prepared, contextValue });
      if (!('events' in opened)) {
        await abandon();
        return opened;
      }
      if (resumed.isCreate && notes?.generationId !== undefined) {
        subscription.generationId = notes.generationId;
        // Without it, a takeover finds the generation by its key.
        await records.setGeneration(record.id, notes.generationId).catch(() => {});
      }
      void subscription.run(opened);
      return undefined;
    } catch (error) {
      await abandon();
      throw error;
    }
  };
}

function checkFailed(outcome: PostOutcome): RequestError {
  return new RequestError(
    'BAD_REQUEST',
    'The callbackUrl did not accept a check. Nothing was sent. Its router must answer with a status of 200 to 299.',
    // A router that is slow, restarts, or does not know the subscription yet may accept the next one.
    { retry: outcome === 'refused' ? 'FIX_INPUT' : 'LATER' },
  );
}

/** Returns false if it is recorded already, so that its router gets its events. @throws RateLimitError RequestError */
async function add(
  { records, host, subscriptions, opening, maxOpenPerOwner }: OpenCallbackOptions,
  record: CallbackRecord,
  request: CallbackRequest,
): Promise<boolean> {
  if (subscriptions.size === 0) await records.lease?.renew();
  opening.add(record.id);
  const outcome = await records
    .add(record, maxOpenPerOwner)
    .finally(() => opening.delete(record.id))
    .catch((error: unknown) => {
      // It may have been written.
      void host.remove(record.id);
      throw error;
    });
  if (outcome === 'added') return true;
  if (outcome === 'full')
    throw new RateLimitError(
      'Too many callback subscriptions are open for this caller. Close some of them, then retry.',
      { retryAfterSeconds: 1, setting: 'MAX_OPEN_PER_OWNER' },
    );
  const known = await records.find(record.id);
  if (known && fromRecordBody(known.body)?.request.verifier === request.verifier) return false;
  throw new RequestError('BAD_REQUEST', 'This subscriptionId is in use. Subscribe again with another one.');
}

/** Where the events begin that the client did not get, if the first instance dies before it posts one. */
async function firstPosition(
  { engine }: OpenCallbackOptions,
  { args, isFeed }: ToResume,
  owner: string,
): Promise<Json | undefined> {
  const after = args?.['after'];
  if (typeof after === 'number' || typeof after === 'string') return after;
  return isFeed ? packFeedCursor(await engine.generationFeeds.findLast(owner)) : undefined;
}

/** @throws RequestError LIMIT_EXCEEDED if the record would be too large */
function toBody(
  request: CallbackRequest,
  { operation, responseKey, isCreate, args }: ToResume,
  { contextValue }: OperationArgs,
): CallbackBody {
  const key = args?.['idempotencyKey'];
  const idempotencyKey = typeof key === 'string' ? key : undefined;
  const found = isCreate ? findIdempotencyKey({ idempotencyKey }, contextValue, responseKey) : undefined;
  const creation = found && { ...found, createdAt: contextValue.engine.clock.now() };
  const chars = operation.document.length + stringifyJson(operation.variables).length;
  if (chars > maxOperationChars)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `A callback subscription has at most ${maxOperationChars} characters of document and variables, without the input of a create.`,
    );
  return { request, operation, creation };
}
