import { type GraphQLError, parse } from 'graphql';
import { OutcomeUnknownError, RecordsUnavailableError, RequestError, StreamError } from '../../errors.ts';
import { type Caller, type HeldKey, toRecordedCaller } from '../../gateway/caller.ts';
import { fromFailure } from '../../generations/failure.ts';
import { packFeedCursor } from '../../graphql/feed-cursor.ts';
import { randomId } from '../../lib/ids.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { wait } from '../../lib/wait.ts';
import type { ChangePosition } from '../../store/changes.ts';
import { createContext } from '../operation/contexts.ts';
import { createDocumentCache } from '../operation/document-cache.ts';
import type { OperationArgs } from '../operation/execution.ts';
import { afterCreate, type MaskContext, maskThrown, withAdvice } from '../operation/mask-errors.ts';
import type { Operation, OperationOptions } from '../operation/operation.ts';
import { isOpen, openSubscription } from '../operation/subscription.ts';
import type { CallbackBody, RecordedKey } from './callback-body.ts';
import type { CallbackSubscription, OpenedEvents } from './callback-subscription.ts';
import { variablesAt } from './resumable-operation.ts';

export interface OpenEventsOptions extends OperationOptions {
  /** The key of the server, if it serves callers who sign in. */
  readonly heldKey: HeldKey | undefined;
  /** How long an idempotency key is kept. */
  readonly keyMs: number;
}

/** Opens the events of callback subscriptions. */
export interface OpenEvents {
  /** For the first time, with the caller's own request, which may send a create. */
  first(operation: Operation, prepared: OperationArgs): Promise<OpenedEvents | readonly GraphQLError[]>;
  /** From the acknowledged position on. Sends no create. */
  again(subscription: CallbackSubscription): Promise<OpenedEvents | readonly GraphQLError[]>;
  /** The error of a subscription whose caller's token has expired. */
  readonly expired: (body: CallbackBody) => GraphQLError;
  /** The error of a subscription that a defect ends. Logs it. */
  readonly failed: (body: CallbackBody, error: unknown) => GraphQLError;
}

/** Posts wait for their router, and no buffer of a client counts them. */
const isHeld = true;
/** How often the record of a create that another instance sent is read, until its outcome is known. */
const outcomeMs = 500;

export function createOpenEvents(options: OpenEventsOptions): OpenEvents {
  const { engine, schema, admission, preparation, eventWriters, documents } = options;
  const parsed = createDocumentCache(engine.clock);
  const parseRecorded = (text: string) => {
    const known = parsed.find(text);
    if (known) return known;
    const document = parse(text);
    parsed.add(text, document);
    return document;
  };
  /**
   * Finds the generation of a create that this instance did not send. @throws StreamError if there may be one later, or
   * OutcomeUnknownError if nothing finds that
   */
  const findGeneration = async ({
    owner,
    body,
    signal,
  }: CallbackSubscription): Promise<string | undefined> => {
    const { creation: key } = body;
    // The first server may have sent it.
    if (!key) throw new OutcomeUnknownError(undefined);
    while (!signal.aborted) {
      const creation = await engine.creations.findByKey(owner, key);
      // Another instance may be about to send it, or its key has expired.
      if (!creation) throw isRepeatable(key, options) ? toUnfound() : new OutcomeUnknownError(undefined);
      if (creation.failure) throw fromFailure(creation.failure, creation.subjectId);
      if (creation.phase === 'SETTLED' || creation.phase === 'UNKNOWN') return creation.subjectId;
      await wait(engine.clock, outcomeMs, signal);
    }
    return undefined;
  };

  const toArgs = (subscription: CallbackSubscription, requestId: string): OperationArgs => {
    const { body, owner, progress, generationId } = subscription;
    const { operation } = body;
    const caller: Caller = subscription.caller ?? toRecordedCaller(owner, options.heldKey);
    const document = parseRecorded(operation.document);
    // A snapshot replaces what a client has, so that an event that it may have had is not applied twice. A change may be.
    const after = progress.isPosting && typeof progress.position === 'number' ? undefined : progress.position;
    return {
      schema,
      document,
      contextValue: createContext(engine, { caller, transport: 'callback', requestId, address: '' }),
      operationName: undefined,
      variableValues: variablesAt(operation, { generationId, after }),
    };
  };

  return {
    async first(operation, prepared) {
      let position: Json | undefined;
      const onEvent = (event: unknown): void => void (position = positionOf(event));
      const events = await operation.open(prepared, { preparation, onEvent, isHeld });
      if (!isOpen(events)) return events.errors ?? [];
      return { events, position: () => position, release: () => operation.release() };
    },
    async again(subscription) {
      const requestId = randomId('callback-request');
      const maskContext = toMaskContext(engine, subscription.body, requestId);
      const toErrors = (found: readonly GraphQLError[]): readonly GraphQLError[] =>
        found.map((error) => afterCreate(error, maskContext));
      try {
        const isCreate = subscription.body.operation.idVariable !== undefined;
        if (isCreate) subscription.generationId ??= await findGeneration(subscription);
        const args = toArgs(subscription, requestId);
        const invalid = documents.validate(args.document);
        if (invalid.length > 0) return toErrors(invalid.map((error) => withAdvice(error, requestId)));
        const { caller } = args.contextValue;
        const permit = admission.enter({ caller, address: '' });
        await permit.admitted;
        let position: Json | undefined;
        const onEvent = (event: unknown): void => void (position = positionOf(event));
        const events = await openSubscription(args, permit, { preparation, eventWriters, onEvent, isHeld });
        if (isOpen(events)) return { events, position: () => position, release: () => permit.release() };
        permit.release();
        return toErrors(events.errors ?? []);
      } catch (error) {
        if (error instanceof RecordsUnavailableError)
          engine.log.debug({ err: error, requestId }, 'callback waits');
        return [maskThrown(error, maskContext)];
      }
    },
    expired(body) {
      const { operation, creation } = body;
      const message = 'The token has expired. Subscribe again with a new one.';
      const afterCreate = creation && isRepeatable(creation, options) ? 'SAME_KEY' : 'MAY_CHARGE_AGAIN';
      const retry = operation.idVariable === undefined ? undefined : afterCreate;
      const error = new RequestError('UNAUTHENTICATED', message, { retry });
      return maskThrown(error, toMaskContext(engine, body, randomId('callback-request')));
    },
    failed: (body, error) => maskThrown(error, toMaskContext(engine, body, randomId('callback-request'))),
  };
}

/** A create was sent, although the operation that continues it sends none. */
function toMaskContext(
  engine: OpenEventsOptions['engine'],
  { operation }: CallbackBody,
  requestId: string,
): MaskContext {
  const part = operation.idVariable === undefined ? 'no create' : 'create with an operation id';
  return { requestId, engine, findFailedPart: () => part };
}

/**
 * Whether a retry with the key finds what its create made. The router gives the next subscription another id, so that only a key of
 * the client does, until it expires. The clocks of instances may differ.
 */
function isRepeatable(
  { source, createdAt = -Infinity }: RecordedKey,
  { engine, keyMs }: Pick<OpenEventsOptions, 'engine' | 'keyMs'>,
): boolean {
  return source === 'client' && Math.abs(engine.clock.now() - createdAt) < keyMs / 2;
}

function toUnfound(): StreamError {
  const message =
    'Another server continues this subscription, and found no record of its create. Retry with the same idempotency key.';
  return new StreamError('INTERRUPTED', message, { retry: 'SAME_KEY' });
}

/** What `after` is for the events behind this one. Undefined for events without positions. */
function positionOf(event: unknown): Json | undefined {
  if (!isObject(event)) return undefined;
  const { sequence, position } = event;
  if (typeof sequence === 'number') return sequence;
  return isPosition(position) ? packFeedCursor(position) : undefined;
}

function isPosition(value: unknown): value is ChangePosition {
  return isObject(value) && typeof value['number'] === 'number' && typeof value['mark'] === 'number';
}
