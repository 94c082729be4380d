import { LRUCache } from 'lru-cache';
import { ExpectedError, LostReplyError } from '../errors.ts';
import { limitEntries } from '../lib/cache-limits.ts';
import { abbreviate } from '../lib/text.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { Generation, GenerationSummary } from '../store/records.ts';
import type { Span, SpanFacts, SpanOutcome, Tracing } from '../tracing/tracing.ts';
import { operationNameOf } from './operation-name.ts';

/** What a reply says about itself. */
export interface ReplyFacts {
  readonly id?: string | undefined;
  /** The model that answered, which may be another than the requested one. */
  readonly model?: string | undefined;
  /** Of each choice, in their order. */
  readonly finishReasons?: readonly (string | undefined)[] | undefined;
}

/** The spans of generations, from the request to the end of the reply. Those of tasks end with the acknowledgement. */
export interface GenerationTraces {
  /** The `traceparent` of the span that `start` will create, for the record. */
  reserve(parent: TraceContext | undefined): string | undefined;
  /** Returns the parent context of the request. */
  start(
    generation: Pick<Generation, 'id' | 'kind' | 'model' | 'traceparent'>,
    parent: TraceContext | undefined,
  ): TraceContext;
  /** Adds what the reply says about itself, before the end. */
  noteReply(id: string, reply: ReplyFacts | undefined): void;
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
    noteReply(id, reply) {
      if (reply) spans.get(id)?.set(toSpanFacts(reply));
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

/** The gateway chooses the values, so they are limited. */
function toSpanFacts({ id, model, finishReasons = [] }: ReplyFacts): SpanFacts {
  const limit = (text: string): string => abbreviate(text, 200);
  const reasons = finishReasons.flatMap((reason) => (reason === undefined ? [] : [limit(reason)]));
  return {
    'gen_ai.response.id': id && limit(id),
    'gen_ai.response.model': model && limit(model),
    ...(reasons.length > 0 && { 'gen_ai.response.finish_reasons': reasons.slice(0, 20) }),
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
