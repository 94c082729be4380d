import type { TraceContext } from '../lib/trace-context.ts';

/** Exports spans. Present only if an OTLP endpoint is configured. */
export interface Tracing {
  start(options: SpanOptions): Span;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

/** Span attributes. Must not contain credentials, prompts, documents or bodies. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export interface SpanOptions {
  readonly name: string;
  /** server: an operation of a client. client: a request to the gateway. */
  readonly kind: 'server' | 'client';
  readonly parent: TraceContext | undefined;
  /** Named by OpenTelemetry's semantic conventions. */
  readonly facts: SpanFacts;
}

export interface Span {
  /** Parent context for work inside this span. */
  readonly trace: TraceContext;
  /** Only the first call counts. `error` is the kind of failure. */
  end(outcome?: { readonly facts?: SpanFacts; readonly error?: string | undefined }): void;
}
