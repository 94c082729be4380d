/** W3C trace context (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** Version, trace id, parent id and flags. */
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

const pattern = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const maxStateChars = 512;

/** Returns undefined if `traceparent` is invalid. The operation then starts a new trace. */
export function toTraceContext(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || !pattern.test(traceparent)) return undefined;
  const isState =
    typeof tracestate === 'string' &&
    /^[\u0020-\u007E]+$/.test(tracestate) &&
    tracestate.length <= maxStateChars;
  return isState ? { traceparent, tracestate } : { traceparent };
}

/** Headers that propagate the trace. */
export function traceHeaders(trace: TraceContext | undefined): Readonly<Record<string, string>> {
  if (!trace) return {};
  const { traceparent, tracestate } = trace;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
