import type { TraceContext } from '../lib/trace-context.ts';

/** Tells somebody how long work takes. Only there where an operator has named a receiver. */
export interface Tracing {
  start(options: SpanOptions): Span;
  /** Sends what waits. */
  close(): Promise<void>;
}

/** Facts for operators: never a credential, prompt, document or body. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export interface SpanOptions {
  readonly name: string;
  /** Work that somebody asked for, or a request of ours. */
  readonly kind: 'server' | 'client';
  readonly parent: TraceContext | undefined;
  /** Named as OpenTelemetry's conventions do. */
  readonly facts: SpanFacts;
}

export interface Span {
  /** For what is done within it. */
  readonly trace: TraceContext;
  /** Once; what comes later does not count. `error` says what kind of failure it was. */
  end(outcome?: { readonly facts?: SpanFacts; readonly error?: string | undefined }): void;
}
