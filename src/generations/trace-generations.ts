import { LRUCache } from 'lru-cache';
import { ExpectedError, LostReplyError } from '../errors.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { Span, SpanFacts, Tracing } from '../tracing/tracing.ts';
import { operationNameOf } from './operation-name.ts';
import { maxEntries } from '../lib/max-entries.ts';

/** The spans of generations, from the request to the end of the reply. Those of tasks end with the acknowledgement. */
export interface GenerationTraces {
  /** Returns the parent context of the request. */
  start(
    generation: Pick<GenerationSummary, 'id' | 'kind' | 'model'>,
    parent: TraceContext | undefined,
  ): TraceContext;
  /** Ends the span with the generation's outcome. Only the first end counts. */
  end(generation: GenerationSummary): void;
  /** Ends the span of a create that made no generation, or whose outcome is unknown. */
  fail(id: string, error: unknown): void;
  /** The span of a generation that this process has started. Recent ones are remembered after their end. */
  find(id: string): TraceContext | undefined;
}

/** Generations whose span can be found. */
const maxRemembered = 20_000;

export function createGenerationTraces(tracing: Pick<Tracing, 'start'>): GenerationTraces {
  const spans = new LRUCache<string, Span>({ ...maxEntries(maxRemembered), dispose: (span) => span.end() });
  return {
    start({ id, kind, model }, parent) {
      const operation = operationNameOf(kind);
      const span = tracing.start({
        name: model === undefined ? operation : `${operation} ${model}`,
        kind: 'client',
        parent,
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
      spans.get(id)?.end({
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
      spans.get(id)?.end({ error: code });
    },
    find: (id) => spans.get(id)?.trace,
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
