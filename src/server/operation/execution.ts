import { execute, type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from '../../graphql/context.ts';
import { largeChars } from '../../lib/json-size.ts';
import { limitCoercionErrors } from './coercion-errors.ts';
import type { CompiledQueries } from './compiled/compiled-queries.ts';
import type { IntrospectionRuns } from './introspection-runs.ts';
import { type MaskContext, maskErrors, maskThrown } from './mask-errors.ts';
import { createFindFailedPart } from './find-create-fields.ts';
import { observeOperation } from './observe-operation.ts';

export interface OperationArgs extends ExecutionArgs {
  readonly contextValue: Context;
}

export interface Answer {
  /** The JSON text, if a compiled query wrote it. The result is then empty. */
  readonly text?: string;
  readonly result: ExecutionResult;
  /** Whether it must be written in pieces. */
  readonly isLarge: boolean;
}

export interface RunOptions {
  readonly introspections: IntrospectionRuns;
  /** Absent: graphql-js executes every query. */
  readonly queries?: CompiledQueries | undefined;
}

/** Runs a query or mutation. Masks and logs defects. Never throws. */
export async function runOperation(given: OperationArgs, options: RunOptions): Promise<Answer> {
  const { args, report, note, end } = observeOperation(given);
  const { executions } = args.contextValue.engine;
  let outcome: string | ExecutionResult;
  executions.add(1);
  try {
    outcome = await execution(args, options);
  } catch (error) {
    outcome = { errors: [maskThrown(error, toMaskContext(args))] };
  } finally {
    executions.add(-1);
  }
  const [text, result] = typeof outcome === 'string' ? [outcome, {}] : [undefined, outcome];
  report(result);
  note?.(result);
  end?.();
  if (text !== undefined) return { text, result, isLarge: false };
  return { result, isLarge: args.contextValue.budget.answerBytes > largeChars };
}

/** The result, or the JSON text if a compiled query wrote it. */
async function execution(
  args: OperationArgs,
  { introspections, queries }: RunOptions,
): Promise<string | ExecutionResult> {
  const running = queries?.run(args);
  if (!running) return introspections.find(args, () => runGraphql(args));
  const outcome = await running;
  if (typeof outcome === 'string') return outcome;
  return runGraphql({ ...args, contextValue: { ...args.contextValue, rootValues: outcome } });
}

async function runGraphql(args: OperationArgs): Promise<ExecutionResult> {
  const options = limitCoercionErrors(args.variableValues);
  return finish(await execute({ ...args, options }), args.contextValue, toMaskContext(args));
}

/** Masks the errors, and adds one for the values that the budget left out without an error. */
export function finish(
  result: ExecutionResult,
  { budget }: Context,
  maskContext: MaskContext,
): ExecutionResult {
  const { unreported } = budget;
  if (unreported === 0) return maskErrors(result, maskContext, budget);
  const { error } = budget;
  const message = `${unreported} more values are null for the same reason. ${error.message}`;
  const last = new GraphQLError(message, { originalError: error });
  return maskErrors({ ...result, errors: [...(result.errors ?? []), last] }, maskContext, budget);
}

export function toMaskContext({
  contextValue,
  schema,
  document,
  operationName,
  variableValues,
}: OperationArgs): MaskContext {
  const { requestId, engine, operationId, transport } = contextValue;
  const findFailedPart = createFindFailedPart({
    schema,
    document,
    operationName,
    variableValues,
    contextValue: { operationId, transport },
  });
  return { requestId, engine, findFailedPart };
}
