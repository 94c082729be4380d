import { type ExecutionResult, getOperationAST, GraphQLError } from 'graphql';
import type { Context } from '../graphql/context.ts';
import type { Span, Tracing } from '../tracing/tracing.ts';
import { createContext } from './contexts.ts';
import type { OperationArgs, Subscribed } from './execution.ts';

export interface TracedOperation {
  /** What is done in it belongs to its span. */
  readonly args: OperationArgs;
  /** An execution's result; the last one ends the operation. */
  note(result: ExecutionResult): void;
  end(): void;
}

/** An operation as a span: its kind, its name, and the codes of its errors; never its document or variables. */
export function traceOperation(args: OperationArgs, tracing: Tracing): TracedOperation {
  const operation = getOperationAST(args.document, args.operationName);
  const type = operation?.operation ?? 'query';
  const name = operation?.name?.value;
  const { contextValue } = args;
  const span = tracing.start({
    name: name === undefined ? type : `${type} ${name}`,
    kind: 'server',
    parent: contextValue.trace,
    facts: {
      'graphql.operation.type': type,
      'graphql.operation.name': name,
      'gengraph.request_id': contextValue.requestId,
      'gengraph.transport': contextValue.transport,
    },
  });
  const codes = new Set<string>();
  return {
    args: { ...args, contextValue: within(contextValue, span) },
    note({ errors = [] }) {
      for (const { extensions } of errors) codes.add(String(extensions['code']));
    },
    end: () => span.end({ error: codes.size > 0 ? [...codes].join(' ') : undefined }),
  };
}

/** The same events; their end, however it comes, ends the operation. */
export function traceEvents(events: Subscribed, { note, end }: TracedOperation): Subscribed {
  if (!(Symbol.asyncIterator in events)) {
    note(events);
    end();
    return events;
  }
  const iterator: AsyncIterableIterator<ExecutionResult, undefined> = {
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

function within(context: Context, { trace }: Span): Context {
  return createContext(context.engine, { ...context, trace });
}
