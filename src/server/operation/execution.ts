import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
} from 'graphql';
import { errorCodes, isErrorCode, retryAdvice } from '../../error-codes.ts';
import { RecordsUnavailableError, toErrorExtensions } from '../../errors.ts';
import type { CompiledQueries } from './compiled/compiled-queries.ts';
import type { EventWriters } from './compiled/event-writers.ts';
import { type PushedEvents, pushEvents, type PushOptions } from './compiled/push-events.ts';
import type { Context } from '../../graphql/context.ts';
import { followTaken, isFeed } from '../../lib/follow.ts';
import type { Log } from '../../lib/log.ts';
import type { ByteHold } from '../../lib/byte-holds.ts';
import type { JsonText } from '../../lib/json-pieces.ts';
import { mapIterator, mapPresent, whenEnded } from '../../lib/iterate.ts';
import { sizeOfValue } from '../../lib/json-size.ts';
import { awaitRecords } from './await-records.ts';
import { limitErrors, sizeOfErrors } from '../sending/answer-errors.ts';
import { limitCoercionErrors, shortenMessage } from './coercion-errors.ts';
import { forExecution } from './contexts.ts';
import type { Permit } from '../admission/admission.ts';
import { toEventArgs } from './event-execution.ts';
import type { EventPreparation, EventPreparer, EventSelection } from './event-preparation.ts';
import type { IntrospectionRuns } from './introspection-runs.ts';
import { createMayCharge } from './may-charge.ts';
import { limitError } from './operation-limits.ts';
import { rewriteError } from './rewrite-error.ts';
import { codesOf, exceededOf, reportOperation } from './report-operation.ts';
import { traceRefused } from './trace-refused.ts';
import { traceOperation, traceEvents } from './traced-operation.ts';

export interface OperationArgs extends ExecutionArgs {
  readonly contextValue: Context;
}

/** Runs a query or mutation. Masks and logs defects. Never throws: over a WebSocket, a throw would end other operations. */
export function executeOperation(
  args: OperationArgs,
  introspections: IntrospectionRuns,
): Promise<ExecutionResult> {
  return runTraced(args, (operation) =>
    runCounted(operation, () => introspections.find(operation, () => runGraphql(operation))),
  );
}

export interface AnswerOptions {
  readonly introspections: IntrospectionRuns;
  readonly queries: CompiledQueries;
}

/** Like `executeOperation`. Returns the JSON text of the answer if a compiled query wrote it. */
export function answerOperation(
  args: OperationArgs,
  { introspections, queries }: AnswerOptions,
): Promise<string | ExecutionResult> {
  const answer = async (operation: OperationArgs): Promise<string | ExecutionResult> => {
    const running = queries.run(operation);
    if (!running) return introspections.find(operation, () => runGraphql(operation));
    const outcome = await running;
    if (typeof outcome === 'string') return outcome;
    return runGraphql({ ...operation, contextValue: { ...operation.contextValue, rootValues: outcome } });
  };
  return runTraced(args, (operation) => runCounted(operation, () => answer(operation)));
}

async function runTraced<Answer extends string | ExecutionResult>(
  args: OperationArgs,
  run: (operation: OperationArgs) => Promise<Answer>,
): Promise<Answer> {
  const { tracing } = args.contextValue.engine;
  const report = reportOperation(args);
  if (!tracing) {
    const answer = await run(args);
    report(typeof answer === 'string' ? {} : answer);
    return answer;
  }
  const traced = traceOperation(args, tracing);
  const answer = await run(traced.args);
  const result = typeof answer === 'string' ? {} : answer;
  report(result);
  traced.note(result);
  traced.end();
  return answer;
}

async function runGraphql(args: OperationArgs): Promise<ExecutionResult> {
  const options = limitCoercionErrors(args.variableValues);
  return finish(await execute({ ...args, options }), args.contextValue, toMaskContext(args));
}

/** Counts the operation as running, and masks what it throws. */
async function runCounted<Answer>(
  args: OperationArgs,
  run: () => Promise<Answer>,
): Promise<Answer | ExecutionResult> {
  const { executions } = args.contextValue.engine;
  executions.add(1);
  try {
    return await run();
  } catch (error) {
    return { errors: [maskThrown(error, toMaskContext(args))] };
  } finally {
    executions.add(-1);
  }
}

/** Runs a subscription: one execution per event, each with new loaders, because records change between events. */
export async function subscribeOperation(
  args: OperationArgs,
  { preparation, push }: EventTarget,
): Promise<Subscribed> {
  const { tracing } = args.contextValue.engine;
  const report = reportOperation(args);
  if (!tracing) {
    const events = await openSubscription(args, { preparation, push });
    report(errorsOf(events));
    return events;
  }
  const traced = traceOperation(args, tracing);
  const events = await openSubscription(traced.args, {
    preparation,
    push: push && { ...push, onResult: traced.note },
  });
  report(errorsOf(events));
  traced.note(errorsOf(events));
  return traceEvents(events, traced);
}

/** The errors that prevented a subscription. */
function errorsOf(events: Subscribed): Pick<ExecutionResult, 'errors'> {
  return Symbol.asyncIterator in events || 'isPushed' in events ? {} : events;
}

/** How the events of a subscription reach its client. */
export interface EventTarget {
  readonly preparation: EventPreparation;
  /** @default an iterator of results */
  readonly push?: PushTarget | undefined;
}

/** Where a transport wants the events pushed to, instead of an iterator of results. */
export interface PushTarget extends Pick<PushOptions, 'id' | 'onResult'> {
  readonly socket: PushOptions['socket'] & { closeToRetry(reason: string): void };
  readonly eventWriters: EventWriters;
}

/** Counts the operation as an open subscription, then runs it. */
export async function openAdmitted(
  args: OperationArgs,
  permit: Pick<Permit, 'reserveOpen' | 'settle' | 'countAnswer'>,
  target: EventTarget,
): Promise<Subscribed> {
  try {
    permit.reserveOpen(args.document);
  } catch (error) {
    const refused = { errors: [maskThrown(error, toMaskContext(args))] };
    permit.countAnswer(() => sizeOfErrors(refused.errors));
    reportOperation(args)({ ...refused, exceeded: exceededOf(error) });
    const operation = getOperationAST(args.document, args.operationName);
    const { contextValue } = args;
    traceRefused(contextValue.engine.tracing, {
      requestId: contextValue.requestId,
      transport: contextValue.transport,
      trace: contextValue.trace,
      codes: codesOf(refused.errors),
      durationMs: 0,
      type: operation?.operation,
      name: operation?.name?.value,
    });
    return refused;
  }
  const events = await subscribeOperation(args, target);
  permit.countAnswer(() => sizeOfErrors(errorsOf(events).errors));
  permit.settle();
  return events;
}

/** Events, or the errors that prevented the subscription. */
export type Subscribed = SubscribedEvents | PushedEvents | ExecutionResult;

export interface SubscribedEvents extends AsyncIterableIterator<ExecutionResult, undefined> {
  /** Whether this process produces the events. @default false */
  readonly isOwn?: boolean;
}

async function openSubscription(
  args: OperationArgs,
  { preparation, push }: EventTarget,
): Promise<Subscribed> {
  const { contextValue } = args;
  const { executions } = contextValue.engine;
  // It may send a create, until its stream is open.
  executions.add(1);
  const maskContext = toMaskContext(args);
  try {
    // Separate loaders: records read to open the subscription are not retained while it is open.
    const source = await createSourceEventStream({
      ...args,
      contextValue: forExecution(contextValue),
      options: limitCoercionErrors(args.variableValues),
    });
    if (!(Symbol.asyncIterator in source)) return maskErrors(source, maskContext);
    const forEvents = toEventArgs(args);
    // Each event has loaders and a budget of its own. Those of the operation must not be held while it is open, nor its notes.
    const { loaders: _loaders, budget: _budget, notes: _notes, ...eventContext } = contextValue;
    const execute = eventExecutor(forEvents, eventContext, maskContext);
    const toError = (error: unknown): Error => {
      // A subscription that ended with an error would not come back.
      if (error instanceof RecordsUnavailableError) push?.socket.closeToRetry(awaitRecords);
      return maskThrown(error, maskContext);
    };
    const preparer = preparation.open(selectionOf(forEvents, args));
    const prepare: PushOptions['prepare'] = (event) => preparer.prepare(event, execute);
    if (!push || !isFeed(source)) return iteratePrepared(source, { prepare, toError, preparer });
    const { origin } = source;
    const { requestId, engine } = contextValue;
    return pushEvents({
      ...push,
      source: source.source,
      // Arguments that are unchanged use variables below the root.
      write: origin && forEvents !== args ? push.eventWriters.find(forEvents, origin) : undefined,
      prepare,
      toError,
      onEnd(executed) {
        preparer.close();
        if (origin) logExecuted(executed, { requestId, engine });
      },
    });
  } catch (error) {
    return { errors: [maskThrown(error, maskContext)] };
  } finally {
    executions.add(-1);
  }
}

/** Longer variables make a subscription unequal to all others, because it would hold them. */
const maxVariablesChars = 1000;

/** Callers of one owner see the same, unless their tokens have other scopes. */
function selectionOf(forEvents: ExecutionArgs, { contextValue }: OperationArgs): EventSelection {
  const { owner = '', host, token } = contextValue.caller ?? {};
  // Without variables below the root: those of the root field decide the events.
  const { document, operationName, variableValues } = forEvents;
  const isSmall = sizeOfValue(variableValues, maxVariablesChars) <= maxVariablesChars;
  const view = [host, token && [...token.scopes].sort(), operationName, variableValues];
  return { owner, document, view: isSmall ? JSON.stringify(view) : undefined };
}

/** Yoga calls `stringify` in place of JSON.stringify. */
function toWritten(text: JsonText, errors: ExecutionResult['errors']): ExecutionResult {
  const stringify = (): string => (typeof text === 'string' ? text : Buffer.concat(text).toString());
  const written = { ...(errors && { errors }), stringify };
  return written;
}

/** The results for a transport that pulls. Each is prepared when it is pulled. */
function iteratePrepared(
  source: AsyncIterable<unknown>,
  {
    prepare,
    toError,
    preparer,
  }: Pick<PushOptions, 'prepare' | 'toError'> & { readonly preparer: EventPreparer },
): AsyncIterableIterator<ExecutionResult, undefined> {
  const taken = isFeed(source)
    ? followTaken(source.source)
    : mapIterator(source[Symbol.asyncIterator](), (value) => ({ value }));
  const results = mapPresent(
    taken,
    async ({ value }): Promise<ExecutionResult | undefined> => {
      const prepared = await prepare(value);
      return prepared && toWritten(prepared.text, prepared.errors);
    },
    toError,
  );
  return whenEnded(results, () => preparer.close());
}

function logExecuted(
  executed: number,
  { requestId, engine }: Pick<MaskContext, 'requestId' | 'engine'>,
): void {
  if (executed > 0)
    engine.log.debug({ requestId, executed }, 'events of a subscription that graphql-js executed');
}

/** Runs the event stage of a subscription once per event. */
function eventExecutor(
  { schema, document, operationName, variableValues }: ExecutionArgs,
  eventContext: Omit<Context, 'loaders' | 'budget'>,
  maskContext: MaskContext,
): (rootValue: unknown, hold: ByteHold) => ExecutionResult | Promise<ExecutionResult> {
  return (rootValue, hold) => {
    const contextValue = forExecution(eventContext, hold);
    const result = execute({ schema, document, operationName, variableValues, rootValue, contextValue });
    return result instanceof Promise
      ? result.then((event) => finish(event, contextValue, maskContext))
      : finish(result, contextValue, maskContext);
  };
}

/** Masks the errors, and adds one for the values that the budget left out without an error. */
function finish(result: ExecutionResult, { budget }: Context, maskContext: MaskContext): ExecutionResult {
  const { unreported } = budget;
  if (unreported === 0) return maskErrors(result, maskContext);
  const { error } = budget;
  const message = `${unreported} more values are null for the same reason. ${error.message}`;
  const last = new GraphQLError(message, { originalError: error });
  return maskErrors({ ...result, errors: [...(result.errors ?? []), last] }, maskContext);
}

export interface MaskContext {
  readonly requestId: string;
  readonly engine: { readonly log: Log };
  /** Whether the failed part of the operation may have sent a create. Absent before the operation runs. */
  readonly mayCharge?: (error: GraphQLError) => boolean;
}

function toMaskContext({ contextValue, schema, document, operationName }: OperationArgs): MaskContext {
  const { requestId, engine } = contextValue;
  // A subscription retains this context, so it must not retain the variables.
  return { requestId, engine, mayCharge: createMayCharge({ schema, document, operationName }) };
}

export function maskErrors(result: ExecutionResult, context: MaskContext): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => maskError(error, context));
  const createError = (message: string): GraphQLError => withAdvice(limitError(message), context.requestId);
  return { ...result, errors: limitErrors(errors, createError) };
}

/** Masks an error thrown outside a field resolver. */
export function maskThrown(error: unknown, context: MaskContext): GraphQLError {
  if (error instanceof GraphQLError) return maskError(error, context);
  const originalError = error instanceof Error ? error : new Error(String(error));
  return maskError(new GraphQLError(originalError.message, { originalError }), context);
}

/** Expected errors keep their message and get their code. Other errors are logged once; the client sees only the request id. */
export function maskError(error: GraphQLError, context: MaskContext): GraphQLError {
  const { requestId } = context;
  const { originalError } = error;
  const expected = toErrorExtensions(originalError);
  if (expected) return rewriteError(error, { extensions: { ...expected, requestId } });
  // Thrown by graphql-js (variable or argument coercion, syntax, validation) or by a scalar.
  if (!originalError || originalError instanceof GraphQLError) {
    const extensions = { code: 'BAD_REQUEST', ...error.extensions };
    return withAdvice(rewriteError(error, { message: shortenMessage(error.message), extensions }), requestId);
  }
  return maskDefect(error, originalError, context);
}

function maskDefect(error: GraphQLError, cause: Error, context: MaskContext): GraphQLError {
  const { requestId, engine } = context;
  const isAway = cause instanceof RecordsUnavailableError;
  const line = isAway ? 'the records are unavailable' : 'defect';
  engine.log.error({ err: cause, requestId, path: error.path }, `operation failed: ${line}`);
  const logged = `Find it in the server log by request id ${requestId}.`;
  if (isAway) {
    // Without the records, no answer about money is known: an earlier attempt may have been sent.
    const code = 'RECORDS_UNAVAILABLE';
    const { retry } = errorCodes[code];
    const message = `The server cannot read or write its records now. ${retryAdvice[retry]} ${logged}`;
    return rewriteError(error, { message, extensions: { code, retry, requestId } });
  }
  const mayBeCharged = context.mayCharge?.(error) ?? false;
  const advice = internalErrorAdvice[mayBeCharged ? 'mayBeCharged' : 'notCharged'];
  const retry = mayBeCharged ? errorCodes.INTERNAL.retry : 'LATER';
  const message = `Internal error. ${logged} ${advice}`;
  return rewriteError(error, { message, extensions: { code: 'INTERNAL', retry, requestId } });
}

const internalErrorAdvice = {
  mayBeCharged:
    'The request may already be charged. Repeat it only with the same idempotency key; without one, check `generations` first.',
  notCharged: 'Try again later.',
} as const;

/** Adds the retry advice for its code and the request id to an error that has a code. */
export function withAdvice(error: GraphQLError, requestId: string): GraphQLError {
  const { code, retry } = error.extensions;
  if (!isErrorCode(code)) return error;
  const extensions = { ...error.extensions, retry: retry ?? errorCodes[code].retry, requestId };
  return rewriteError(error, { extensions });
}
