import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Context } from '../../graphql/context.ts';
import type { ByteHold } from '../../lib/fairness/byte-holds.ts';
import { type FollowSource, followTaken, isFeed, mapFeed } from '../../lib/follow.ts';
import { stringifyJson } from '../../lib/json.ts';
import type { JsonText } from '../../lib/json-pieces.ts';
import { mapIterator, whenEnded } from '../../lib/iterate.ts';
import { sizeOfValue } from '../../lib/json-size.ts';
import type { Permit } from '../admission/admission.ts';
import { sizeOfErrors } from '../sending/answer-errors.ts';
import { limitCoercionErrors } from './coercion-errors.ts';
import type { EventWriters } from './compiled/event-writers.ts';
import { type PushOptions, PushedEvents } from './compiled/push-events.ts';
import { forExecution } from './contexts.ts';
import { toEventArgs } from './event-execution.ts';
import type { EventPreparation, EventSelection } from './event-preparation.ts';
import { finish, type OperationArgs, toMaskContext } from './execution.ts';
import { findCreateFields } from './find-create-fields.ts';
import { type MaskContext, maskThrown } from './mask-errors.ts';
import { type ObservedOperation, observeOperation } from './observe-operation.ts';
import { exceededOf, type ExceededLimit } from './report-operation.ts';

/** The events of an open subscription. Those that are pushed to a socket are not values of this iterator, which then only ends. */
export interface SubscribedEvents extends AsyncIterableIterator<ExecutionResult, undefined> {
  /** Whether this process produces the events. @default false */
  readonly isOwn?: boolean;
}

/** Events, or the errors that prevented the subscription. */
export type Subscribed = SubscribedEvents | ExecutionResult;

/** How the events of a subscription reach its client. */
export interface EventTarget {
  readonly preparation: EventPreparation;
  readonly eventWriters: EventWriters;
  /** Where the events are pushed to. @default an iterator of results */
  readonly push?: PushTarget | undefined;
  /** Called with each event before it is prepared. */
  readonly onEvent?: ((event: unknown) => void) | undefined;
  /** Whether an event counts as being prepared until the next one is asked for. @default its text counts as unsent elsewhere */
  readonly isHeld?: boolean | undefined;
}

/** A socket, and the id of the operation on it. */
export type PushTarget = Pick<PushOptions, 'id' | 'socket'>;

export function isOpen(subscribed: Subscribed): subscribed is SubscribedEvents {
  return Symbol.asyncIterator in subscribed;
}

/**
 * Opens a subscription, which then counts as open instead of running. Each event is an execution with new loaders, because
 * records change between events. Never throws.
 */
export async function openSubscription(
  args: OperationArgs,
  permit: Pick<Permit, 'reserveOpen' | 'settle' | 'countAnswer'>,
  target: EventTarget,
): Promise<Subscribed> {
  const observed = observeOperation(args);
  const { executions } = args.contextValue.engine;
  let subscribed: Subscribed;
  let exceeded: ExceededLimit | undefined;
  // It may send a create, until its stream is open.
  executions.add(1);
  try {
    permit.reserveOpen(args.document, heldChars(args));
    subscribed = await open(observed, target);
  } catch (error) {
    exceeded = exceededOf(error);
    subscribed = { errors: [maskThrown(error, toMaskContext(args))] };
  } finally {
    executions.add(-1);
  }
  permit.settle();
  const { errors } = isOpen(subscribed) ? {} : subscribed;
  permit.countAnswer(() => sizeOfErrors(errors));
  observed.report({ errors, exceeded });
  observed.note?.({ errors });
  if (!isOpen(subscribed)) observed.end?.();
  return subscribed;
}

async function open({ args, note, end }: ObservedOperation, target: EventTarget): Promise<Subscribed> {
  const { preparation, eventWriters, push, onEvent, isHeld } = target;
  const { contextValue } = args;
  // Held while the subscription is open.
  const maskContext = toMaskContext({ ...args, variableValues: null });
  const feed = await createSourceEventStream({
    ...args,
    // Loaders of its own: records read to open the subscription are not retained while it is open.
    contextValue: forExecution(contextValue),
    options: limitCoercionErrors(args.variableValues),
  });
  if (!(Symbol.asyncIterator in feed)) return finish(feed, contextValue, toMaskContext(args));
  if (!isFeed(feed)) throw new TypeError('the root field of a subscription returns a feed');
  const observed = onEvent
    ? mapFeed(feed, (event) => {
        onEvent(event);
        return event;
      })
    : feed;
  const { source, origin } = observed;
  const forEvents = toEventArgs(args);
  const preparer = preparation.open(selectionOf(forEvents, args));
  const execute = eventExecutor(forEvents, contextValue, maskContext);
  const { requestId, engine } = contextValue;
  const events = {
    source,
    prepare: (event: unknown, sent?: Promise<void>) => preparer.prepare(event, execute, sent),
    onResult: note,
    toError(error: unknown): Error {
      const masked = maskThrown(error, maskContext);
      note?.({ errors: [masked] });
      return masked;
    },
    onEnd(executed: number): void {
      preparer.close();
      end?.();
      if (origin && executed > 0)
        engine.log.debug({ requestId, executed }, 'events of a subscription that graphql-js executed');
    },
  };
  if (!push) return pullEvents(events, isHeld);
  // A selection that uses variables is not compiled.
  const write = origin && !forEvents.variableValues ? eventWriters.find(forEvents, origin) : undefined;
  return new PushedEvents({ ...events, ...push, write });
}

/** Shorter variables do not count: nearly all of them are short. */
const minCountedChars = 10_000;

/** Characters of the variables that an open subscription holds, if they are many. It does not hold the input of its create. */
function heldChars(args: OperationArgs): number {
  if (sizeOfValue(args.variableValues, minCountedChars) <= minCountedChars) return 0;
  const { variableValues } = findCreateFields(args).size === 0 ? args : toEventArgs(args);
  return sizeOfValue(variableValues, Number.POSITIVE_INFINITY);
}

/** Longer variables make a subscription unequal to all others, because it would hold them. */
const maxVariablesChars = 1000;

/** Callers of one owner see the same, unless their tokens have other scopes. */
function selectionOf(forEvents: ExecutionArgs, { contextValue }: OperationArgs): EventSelection {
  const { owner = '', host, token } = contextValue.caller ?? {};
  // The variables below the root: those of the root field decide the events.
  const { document, variableValues } = forEvents;
  const isSmall = sizeOfValue(variableValues, maxVariablesChars) <= maxVariablesChars;
  const view = [host, token && [...token.scopes].sort(), variableValues];
  return { owner, document, view: isSmall ? stringifyJson(view) : undefined };
}

/** Runs the event stage of a subscription once per event. */
function eventExecutor(
  { schema, document, variableValues }: ExecutionArgs,
  // Each event has loaders and a budget of its own. Those of the operation must not be held while it is open, nor its notes.
  { loaders: _loaders, budget: _budget, notes: _notes, isAwaited: _isAwaited, ...eventContext }: Context,
  maskContext: MaskContext,
): (rootValue: unknown, hold: ByteHold) => ExecutionResult | Promise<ExecutionResult> {
  return (rootValue, hold) => {
    const contextValue = forExecution(eventContext, hold);
    const result = execute({ schema, document, variableValues, rootValue, contextValue });
    return result instanceof Promise
      ? result.then((event) => finish(event, contextValue, maskContext))
      : finish(result, contextValue, maskContext);
  };
}

interface PulledEvents extends Pick<PushOptions, 'onResult' | 'toError' | 'onEnd'> {
  readonly source: FollowSource<unknown>;
  prepare(event: unknown, sent?: Promise<void>): ReturnType<PushOptions['prepare']>;
}

/** The results for a transport that pulls. Each is prepared when it is pulled. */
function pullEvents(
  { source, prepare, onResult, toError, onEnd }: PulledEvents,
  isHeld = false,
): SubscribedEvents {
  let last: PromiseWithResolvers<void> | undefined;
  let isOver = false;
  const results = mapIterator(
    followTaken(source),
    async ({ value }): Promise<ExecutionResult | undefined> => {
      last = isHeld && !isOver ? Promise.withResolvers() : undefined;
      const prepared = await prepare(value, last?.promise);
      if (prepared) onResult?.(prepared);
      else last?.resolve();
      return prepared && toWritten(prepared.text, prepared.errors);
    },
    toError,
  );
  const events = whenEnded(results, () => {
    isOver = true;
    last?.resolve();
    onEnd(0);
  });
  if (!isHeld) return events;
  const { next } = events;
  return Object.assign(events, {
    next() {
      last?.resolve();
      return next();
    },
  });
}

interface Written extends ExecutionResult {
  readonly stringify?: (result: ExecutionResult) => string;
}

/** A result that is JSON already. Yoga calls `stringify` in place of JSON.stringify. */
export function toWritten(text: JsonText, errors: ExecutionResult['errors']): Written {
  const stringify = (): string => (typeof text === 'string' ? text : Buffer.concat(text).toString());
  return { ...(errors && { errors }), stringify };
}

/** The JSON of a result, which may be written already. */
export function textOf(result: Written): string {
  return (result.stringify ?? JSON.stringify)(result);
}
