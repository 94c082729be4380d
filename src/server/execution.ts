import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
} from 'graphql';
import { errorCodes, isErrorCode, StoreError, toErrorExtensions } from '../errors.ts';
import type { Context } from '../graphql/context.ts';
import type { Log } from '../lib/log.ts';
import { createLoaders } from '../graphql/loaders.ts';
import { mapIterator } from '../lib/iterate.ts';
import { toEventArgs } from './event-execution.ts';
import { rewriteError } from './rewrite-error.ts';
import { traceOperation, traceEvents } from './traced-operation.ts';

export interface OperationArgs extends ExecutionArgs {
  readonly contextValue: Context;
}

/** Runs a query or mutation. Masks and logs defects. Never throws: over a WebSocket, a throw would end other operations. */
export async function executeOperation(args: OperationArgs): Promise<ExecutionResult> {
  const { tracing } = args.contextValue.engine;
  if (!tracing) return runOperation(args);
  const traced = traceOperation(args, tracing);
  const result = await runOperation(traced.args);
  traced.note(result);
  traced.end();
  return result;
}

async function runOperation(args: OperationArgs): Promise<ExecutionResult> {
  const { contextValue } = args;
  const { executions } = contextValue.engine;
  executions.add(1);
  try {
    return maskErrors(await execute(args), contextValue);
  } catch (error) {
    return { errors: [maskThrown(error, contextValue)] };
  } finally {
    executions.add(-1);
  }
}

/** Runs a subscription: one execution per event, each with new loaders, because records change between events. */
export async function subscribeOperation(args: OperationArgs): Promise<Subscribed> {
  const { tracing } = args.contextValue.engine;
  if (!tracing) return openSubscription(args);
  const traced = traceOperation(args, tracing);
  return traceEvents(await openSubscription(traced.args), traced);
}

/** Events, or the errors that prevented the subscription. */
export type Subscribed = AsyncIterableIterator<ExecutionResult, undefined> | ExecutionResult;

async function openSubscription(args: OperationArgs): Promise<Subscribed> {
  const { contextValue } = args;
  try {
    // Separate loaders: records read to open the subscription are not retained while it is open.
    const source = await createSourceEventStream({ ...args, contextValue: withNewLoaders(contextValue) });
    if (!(Symbol.asyncIterator in source)) return maskErrors(source, contextValue);
    const eventArgs = { ...toEventArgs(args), contextValue };
    return mapIterator(
      source[Symbol.asyncIterator](),
      (rootValue) => executeEvent(eventArgs, rootValue),
      (error) => maskThrown(error, contextValue),
    );
  } catch (error) {
    return { errors: [maskThrown(error, contextValue)] };
  }
}

function executeEvent(args: OperationArgs, rootValue: unknown): ExecutionResult | Promise<ExecutionResult> {
  const { contextValue } = args;
  const result = execute({ ...args, rootValue, contextValue: withNewLoaders(contextValue) });
  return result instanceof Promise
    ? result.then((settled) => maskErrors(settled, contextValue))
    : maskErrors(result, contextValue);
}

function withNewLoaders(context: Context): Context {
  return { ...context, loaders: createLoaders(context.engine, context.caller) };
}

export interface MaskContext {
  readonly requestId: string;
  readonly engine: { readonly log: Log };
}

export function maskErrors(result: ExecutionResult, context: MaskContext): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => maskError(error, context)) };
}

/** Masks an error thrown outside a field resolver. */
export function maskThrown(error: unknown, context: MaskContext): GraphQLError {
  if (error instanceof GraphQLError) return maskError(error, context);
  const originalError = error instanceof Error ? error : new Error(String(error));
  return maskError(new GraphQLError(originalError.message, { originalError }), context);
}

/** Expected errors keep their message and get their code. Other errors are logged once; the client sees only the request id. */
export function maskError(error: GraphQLError, { requestId, engine }: MaskContext): GraphQLError {
  const { originalError } = error;
  const extensions = toErrorExtensions(originalError);
  if (extensions) return rewriteError(error, { extensions: { ...extensions, requestId } });
  // Thrown by graphql-js (variable or argument coercion, syntax, validation) or by a scalar.
  if (!originalError || originalError instanceof GraphQLError) {
    const own = { code: 'BAD_REQUEST', ...error.extensions };
    return withAdvice(rewriteError(error, { extensions: own }), requestId);
  }
  const { line, message } = describeMasked(originalError);
  engine.log.error({ err: originalError, requestId, path: error.path }, line);
  const masked = `${message} Find it in the server log by request id ${requestId}.`;
  const isUnsent = originalError instanceof StoreError && originalError.isBeforeSending;
  const retry = isUnsent ? 'LATER' : errorCodes.INTERNAL.retry;
  return rewriteError(error, { message: masked, extensions: { code: 'INTERNAL', retry, requestId } });
}

/** Adds the retry advice for its code and the request id to an error that has a code. */
export function withAdvice(error: GraphQLError, requestId: string): GraphQLError {
  const { code, retry } = error.extensions;
  if (!isErrorCode(code)) return error;
  const extensions = { ...error.extensions, retry: retry ?? errorCodes[code].retry, requestId };
  return rewriteError(error, { extensions });
}

/** The log line and the client's message for a masked error. */
function describeMasked(error: Error): { readonly line: string; readonly message: string } {
  if (!(error instanceof StoreError)) return { line: 'operation failed: defect', message: 'Internal error.' };
  const message = 'The server cannot store records right now.';
  return {
    line: 'operation failed: the store is unavailable',
    message: error.isBeforeSending ? `${message} Nothing was sent to the gateway.` : message,
  };
}
