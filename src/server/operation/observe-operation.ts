import { getOperationAST } from 'graphql';
import type { Context } from '../../graphql/context.ts';
import type { Span, Tracing } from '../../tracing/tracing.ts';
import { createContext } from './contexts.ts';
import type { OperationArgs } from './execution.ts';
import { codesOf, reportOperation, type ReportOutcome, type ResultErrors } from './report-operation.ts';
import { operationFacts, spanNameOf } from './trace-refused.ts';

/** The log line, the metric and the span of an operation that runs. */
export interface ObservedOperation {
  /** Execution arguments whose context carries the span. */
  readonly args: OperationArgs;
  /** Reports the outcome of the operation, at the first call. For a subscription: whether it opened. */
  readonly report: ReportOutcome;
  /** Adds the error codes of a result to the span. Absent without tracing. */
  readonly note?: (result: ResultErrors) => void;
  /** Ends the span. */
  readonly end?: () => void;
}

/** Call when an operation starts. */
export function observeOperation(args: OperationArgs): ObservedOperation {
  const report = reportOperation(args);
  const { tracing } = args.contextValue.engine;
  return tracing ? { ...traceOperation(args, tracing), report } : { args, report };
}

/** Starts a span with the type and name of the operation and the codes of its errors, but not its document or variables. */
function traceOperation(args: OperationArgs, tracing: Tracing): Omit<ObservedOperation, 'report'> {
  const operation = getOperationAST(args.document, args.operationName);
  const type = operation?.operation ?? 'query';
  const name = operation?.name?.value;
  const { contextValue } = args;
  const { notes } = contextValue;
  const span = tracing.start({
    name: spanNameOf(type, name),
    kind: 'server',
    parent: contextValue.trace,
    facts: operationFacts({ ...contextValue, type, name }),
  });
  const codes = new Set<string>();
  return {
    args: { ...args, contextValue: withSpan(contextValue, span) },
    note({ errors }) {
      for (const traceparent of notes?.origins ?? []) span.link({ traceparent });
      notes?.origins.clear();
      for (const code of codesOf(errors, notes)) codes.add(code);
    },
    end: () => span.end({ error: codes.size > 0 ? [...codes].join(' ') : undefined }),
  };
}

function withSpan(context: Context, { trace }: Span): Context {
  const { engine, notes } = context;
  return { ...createContext(engine, { ...context, trace }), notes };
}
