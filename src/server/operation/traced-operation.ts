import { type ExecutionResult, getOperationAST, GraphQLError } from 'graphql';
import type { Context } from '../../graphql/context.ts';
import type { Span, Tracing } from '../../tracing/tracing.ts';
import { createContext } from './contexts.ts';
import type { OperationArgs, Subscribed, SubscribedEvents } from './execution.ts';
import { codesOf } from './report-operation.ts';
import { operationFacts, spanNameOf } from './trace-refused.ts';

export interface TracedOperation {
  /** Execution arguments whose context carries the span. */
  readonly args: OperationArgs;
  /** Collects the error codes of a result. */
  note(result: ExecutionResult): void;
  end(): void;
}

/** Starts a span with the type and name of the operation and the codes of its errors, but not its document or variables. */
export function traceOperation(args: OperationArgs, tracing: Tracing): TracedOperation {
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
  const linkOrigins = (): void => {
    for (const traceparent of notes?.origins ?? []) span.link({ traceparent });
    notes?.origins.clear();
  };
  return {
    args: { ...args, contextValue: withSpan(contextValue, span) },
    note({ errors }) {
      linkOrigins();
      for (const code of codesOf(errors, notes)) codes.add(code);
    },
    end: () => span.end({ error: codes.size > 0 ? [...codes].join(' ') : undefined }),
  };
}

/** Passes the events through and ends the span when they end, fail or are returned. */
export function traceEvents(events: Subscribed, { note, end }: TracedOperation): Subscribed {
  if (!(Symbol.asyncIterator in events)) {
    note(events);
    end();
    return events;
  }
  const iterator: SubscribedEvents = {
    isOwn: 'isOwn' in events && events.isOwn,
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        const result = await events.next();
        if (result.done) end();
        else note(result.value);
        return result;
      } catch (error) {
        if (error instanceof GraphQLError) note({ errors: [error] });
        end();
        throw error;
      }
    },
    async return() {
      end();
      return (await events.return?.()) ?? { done: true, value: undefined };
    },
  };
  return iterator;
}

function withSpan(context: Context, { trace }: Span): Context {
  const { engine, notes } = context;
  return { ...createContext(engine, { ...context, trace }), notes };
}
