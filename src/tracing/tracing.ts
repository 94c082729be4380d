import type { TraceContext } from '../lib/trace-context.ts';

/** Exports spans. Present only if an OTLP endpoint is configured. */
export interface Tracing {
  start(options: SpanOptions): Span;
  /** The context of a child that starts later, so that a record can name it before. It may never start. */
  reserve(parent: TraceContext): TraceContext;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

/** Span attributes. Must not contain credentials, prompts, documents or bodies. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

interface SpanOptions {
  readonly name: string;
  /** server: an operation of a client. client: a request to the gateway. */
  readonly kind: 'server' | 'client';
  readonly parent: TraceContext | undefined;
  /** Its own context, which `reserve` has returned for the same parent. */
  readonly reserved?: TraceContext | undefined;
  /** Named by OpenTelemetry's semantic conventions. */
  readonly facts: SpanFacts;
  /** @default it starts now */
  readonly startedMsAgo?: number | undefined;
}

export interface Span {
  /** Parent context for work inside this span. */
  readonly trace: TraceContext;
  /** Refers to the span that did the work whose result this one returns. */
  link(trace: TraceContext): void;
  /** Adds facts that become known before the end. */
  set(facts: SpanFacts): void;
  /** Only the first call counts. */
  end(outcome?: SpanOutcome): void;
}

export interface SpanOutcome {
  readonly facts?: SpanFacts;
  /** The kind of failure. */
  readonly error?: string | undefined;
  readonly events?: readonly SpanEvent[];
}

interface SpanEvent {
  readonly name: string;
  /** Time since the start of the span. */
  readonly afterMs: number;
}
