import { LRUCache } from 'lru-cache';
import { ExpectedError, LostReplyError } from '../errors.ts';
import { limitEntries } from '../lib/cache-limits.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { Generation, GenerationSummary } from '../store/records.ts';
import type { Span, SpanFacts, SpanOutcome, Tracing } from '../tracing/tracing.ts';
import { operationNameOf } from './operation-name.ts';

/** The spans of generations, from the request to the end of the reply. Those of tasks end with the acknowledgement. */
export interface GenerationTraces {
  /** The `traceparent` of the span that `start` will create, for the record. */
  reserve(parent: TraceContext | undefined): string | undefined;
  /** Returns the parent context of the request. */
  start(
    generation: Pick<Generation, 'id' | 'kind' | 'model' | 'traceparent'>,
    parent: TraceContext | undefined,
  ): TraceContext;
  /** Ends the span with the generation's outcome. Only the first end counts. */
  end(generation: GenerationSummary): void;
  /** Ends the span of a create that made no generation, or whose outcome is unknown. */
  fail(id: string, error: unknown): void;
}

/** Spans that have not ended. The oldest end without an outcome. */
const maxOpen = 20_000;

export function createGenerationTraces(tracing: Pick<Tracing, 'start' | 'reserve'>): GenerationTraces {
  const spans = new LRUCache<string, Span>({ ...limitEntries(maxOpen), dispose: (span) => span.end() });
  const end = (id: string, outcome: SpanOutcome): void => {
    spans.get(id)?.end(outcome);
    spans.delete(id);
  };
  return {
    reserve: (parent) => parent && tracing.reserve(parent).traceparent,
    start({ id, kind, model, traceparent }, parent) {
      const operation = operationNameOf(kind);
      const span = tracing.start({
        name: model === undefined ? operation : `${operation} ${model}`,
        kind: 'client',
        parent,
        reserved: traceparent === undefined ? undefined : { traceparent },
        facts: {
          'gen_ai.operation.name': operation,
          'gen_ai.provider.name': 'gateway',
          'gen_ai.request.model': model,
          'gengraph.generation.id': id,
        },
      });
      spans.set(id, span);
      return span.trace;
    },
    end(generation) {
      const { id, error, firstTokenMs } = generation;
      end(id, {
        facts: factsOf(generation),
        error: error?.code,
        events: firstTokenMs === undefined ? [] : [{ name: 'first_token', afterMs: firstTokenMs }],
      });
    },
    fail(id, error) {
      const code =
        error instanceof ExpectedError
          ? error.code
          : error instanceof LostReplyError
            ? 'OUTCOME_UNKNOWN'
            : 'INTERNAL';
      end(id, { error: code });
    },
  };
}

function factsOf({ status, usage, firstTokenMs }: GenerationSummary): SpanFacts {
  return {
    'gengraph.generation.status': status,
    'gen_ai.usage.input_tokens': usage?.promptTokens,
    'gen_ai.usage.output_tokens': usage?.completionTokens ?? usage?.outputTokens,
    ...(firstTokenMs !== undefined && {
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': firstTokenMs / 1000,
    }),
  };
}
