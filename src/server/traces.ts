import { isRecord } from '../lib/json.ts';
import { toTraceContext, type TraceContext } from '../lib/trace-context.ts';

/** The trace that a client says its operation belongs to: in HTTP headers, or in `connectionParams`. Later ones win. */
export function findTrace(...sources: readonly unknown[]): TraceContext | undefined {
  for (const source of sources.toReversed()) {
    const trace = isRecord(source) ? toTraceContext(source['traceparent'], source['tracestate']) : undefined;
    if (trace) return trace;
  }
  return undefined;
}
