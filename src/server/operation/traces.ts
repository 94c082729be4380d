import { isRecord } from '../../lib/json.ts';
import { toTraceContext, type TraceContext } from '../../lib/trace-context.ts';

/** The trace context from HTTP headers or `connectionParams`. Later sources override earlier ones. */
export function findTrace(...sources: readonly unknown[]): TraceContext | undefined {
  for (const source of sources.toReversed()) {
    const trace = isRecord(source) ? toTraceContext(source['traceparent'], source['tracestate']) : undefined;
    if (trace) return trace;
  }
  return undefined;
}
