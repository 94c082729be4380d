import type { TraceContext } from '../../lib/trace-context.ts';
import type { Transport } from '../../graphql/context.ts';
import type { SpanFacts, Tracing } from '../../tracing/tracing.ts';

/** An operation that is not executed. */
export interface RefusedSpan {
  readonly requestId: string;
  readonly transport: Transport;
  readonly trace: TraceContext | undefined;
  readonly codes: readonly string[];
  /** Time since its arrival. */
  readonly durationMs: number;
  /** Undefined if its document was not parsed. */
  readonly type?: string | undefined;
  /** Undefined unless its document is valid: otherwise, clients without a credential would choose it. */
  readonly name?: string | undefined;
}

/** Exports the span of an operation that is not executed. */
export function traceRefused(tracing: Tracing | undefined, refused: RefusedSpan): void {
  const { trace, codes, durationMs, type, name } = refused;
  const span = tracing?.start({
    name: spanNameOf(type, name),
    kind: 'server',
    parent: trace,
    facts: operationFacts(refused),
    startedMsAgo: durationMs,
  });
  span?.end({ error: codes.join(' ') });
}

/** As the conventions name spans of operations. */
export function spanNameOf(type: string | undefined, name: string | undefined): string {
  if (type === undefined) return 'GraphQL Operation';
  return name === undefined ? type : `${type} ${name}`;
}

export function operationFacts({
  type,
  name,
  requestId,
  transport,
}: Pick<RefusedSpan, 'type' | 'name' | 'requestId' | 'transport'>): SpanFacts {
  return {
    'graphql.operation.type': type,
    'graphql.operation.name': name,
    'gengraph.request_id': requestId,
    'gengraph.transport': transport,
  };
}
