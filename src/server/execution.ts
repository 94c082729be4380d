import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
} from 'graphql';
import { StoreError, toErrorExtensions } from '../errors.ts';
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

/** Runs a query or mutation; defects are masked and logged. Never throws: over a WebSocket that would end its neighbours. */
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

/** Runs a subscription: one execution per event, each with loaders of its own, since records change in between. */
export async function subscribeOperation(args: OperationArgs): Promise<Subscribed> {
  const { tracing } = args.contextValue.engine;
  if (!tracing) return openSubscription(args);
  const traced = traceOperation(args, tracing);
  return traceEvents(await openSubscription(traced.args), traced);
}

/** Events, or why there are none. */
export type Subscribed = AsyncIterableIterator<ExecutionResult, undefined> | ExecutionResult;

async function openSubscription(args: OperationArgs): Promise<Subscribed> {
  const { contextValue } = args;
  try {
    // With loaders of its own: what is read to open it is not kept while it is open.
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

/** What masking needs to know of an operation. */
export interface MaskContext {
  readonly requestId: string;
  readonly engine: { readonly log: Log };
}

export function maskErrors(result: ExecutionResult, context: MaskContext): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => maskError(error, context)) };
}

/** What was thrown where no field is at fault. */
export function maskThrown(error: unknown, context: MaskContext): GraphQLError {
  if (error instanceof GraphQLError) return maskError(error, context);
  const originalError = error instanceof Error ? error : new Error(String(error));
  return maskError(new GraphQLError(originalError.message, { originalError }), context);
}

/** Errors that the client may see keep their words and get their code; anything else is logged once and told by request id only. */
export function maskError(error: GraphQLError, { requestId, engine }: MaskContext): GraphQLError {
  const { originalError } = error;
  const extensions = toErrorExtensions(originalError);
  if (extensions) return rewriteError(error, { extensions });
  // GraphQL's own: coercion of variables and arguments, a syntax or validation error, or one thrown by a scalar.
  if (!originalError || originalError instanceof GraphQLError) {
    return rewriteError(error, { extensions: { code: 'BAD_REQUEST', ...error.extensions } });
  }
  const { line, told } = wordsFor(originalError);
  engine.log.error({ err: originalError, requestId, path: error.path }, line);
  const message = `${told}; the log has it under request id ${requestId}.`;
  return rewriteError(error, { message, extensions: { code: 'INTERNAL', requestId } });
}

/** What the log says of a failure that is masked, and what the client is told. */
function wordsFor(error: Error): { readonly line: string; readonly told: string } {
  if (!(error instanceof StoreError))
    return { line: 'a defect: an operation failed unexpectedly', told: 'Internal error' };
  const told = 'The server cannot keep records right now';
  return {
    line: 'the records cannot be used: an operation failed',
    told: error.isBeforeSending ? `${told}, and nothing was sent` : told,
  };
}
