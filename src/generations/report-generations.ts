import { LRUCache } from 'lru-cache';
import { limitEntries } from '../lib/cache-limits.ts';
import { elapsedMs } from '../lib/time.ts';
import type { Attributes, Metrics } from '../metrics/metrics.ts';
import type { Log } from '../lib/log.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { isUncharged } from './failure.ts';
import { operationNameOf } from './operation-name.ts';
import type { LoggedCreate, LoggedCreates } from './logged-creates.ts';
import type { GenerationTraces } from './trace-generations.ts';

/** Generations whose end has been measured: a later write adds only its late parts. */
const maxRemembered = 10_000;

/** What all figures of a generation have in common. */
export function attributesOf({ kind, model }: Pick<GenerationSummary, 'kind' | 'model'>): Attributes {
  return {
    'gen_ai.operation.name': operationNameOf(kind),
    'gen_ai.provider.name': 'gateway',
    'gen_ai.request.model': model,
  };
}

export interface ReportGenerationsOptions {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** The operations of the generations. */
  readonly loggedCreates?: Pick<LoggedCreates, 'take'> | undefined;
  readonly traces?: Pick<GenerationTraces, 'end'> | undefined;
  /** Share of the lines of streams that succeeded or were canceled, from 0 to 1. @default 1 */
  readonly streamEnds?: number | undefined;
  /** Called after each write that may have ended a generation. */
  readonly onEnd?: (() => void) | undefined;
}

/** Wraps a store: logs each generation when it ends, and measures it. */
export function reportGenerations(
  store: Store,
  { log, metrics, traces, loggedCreates, streamEnds = 1, onEnd }: ReportGenerationsOptions,
): Store {
  const isSampled = createSample(streamEnds);
  const reportedIds = new LRUCache<string, true>(limitEntries(maxRemembered));
  /** `writtenAt`: the ends that the write would have recorded. Another instance may have recorded one before. */
  const report = <Ended extends GenerationSummary | undefined>(
    generation: Ended,
    ...writtenAt: readonly (number | undefined)[]
  ): Ended => {
    if (generation?.finishedAt === undefined) return generation;
    onEnd?.();
    traces?.end(generation);
    const sent = loggedCreates?.take(generation.id);
    if (!writtenAt.includes(generation.finishedAt) || reportedIds.has(generation.id)) return generation;
    reportedIds.set(generation.id, true);
    const isUsualStream = generation.firstTokenMs !== undefined && !isFailure(generation);
    if (!isUsualStream || isSampled()) logEnd(generation, { finishedAt: generation.finishedAt, sent, log });
    if (metrics) measureEnd(generation, generation.finishedAt, metrics);
    return generation;
  };
  return {
    ...store,
    settle: async (creationId, settlement) => {
      const { generation, endIfTaken } = settlement;
      const settled = await store.settle(creationId, settlement);
      return report(settled, generation?.finishedAt, endIfTaken?.finishedAt);
    },
    release: async (creationId, options) => {
      const released = await store.release(creationId, options);
      if (released && 'status' in released) report(released);
      return released;
    },
    endGeneration: async (id, end) => report(await store.endGeneration(id, end), end.finishedAt),
    saveTask: async (task, patch) => {
      const saved = await store.saveTask(task, patch);
      report(saved.generation, patch?.finishedAt);
      return saved;
    },
    recover: async (orphans, recovery) => {
      const recovered = await store.recover(orphans, recovery);
      for (const generation of recovered) report(generation, generation.finishedAt);
      return recovered;
    },
  };
}

/** Returns true for this share of the calls, evenly spread. */
function createSample(share: number): () => boolean {
  let sum = 0;
  return () => {
    sum += share;
    // The tolerance is for sums of shares such as 0.1.
    if (sum < 1 - 1e-9) return false;
    sum -= 1;
    return true;
  };
}

function isFailure({ status }: GenerationSummary): boolean {
  return status === 'UNKNOWN' || status === 'FAILED';
}

interface LoggedEnd {
  readonly finishedAt: number;
  readonly sent: LoggedCreate | undefined;
  readonly log: Log;
}

/** `no`: the gateway refused it late. `maybe`: it did not succeed, but the gateway may have charged for it. */
function chargedFor({ status, error }: GenerationSummary): 'yes' | 'no' | 'maybe' {
  if (status === 'SUCCEEDED') return 'yes';
  return error && isUncharged(error) ? 'no' : 'maybe';
}

/** A warning if something went wrong that the operator or the gateway must answer for. */
function logEnd(generation: GenerationSummary, { finishedAt, sent, log }: LoggedEnd): void {
  const { id, owner, kind, model, status, createdAt, firstTokenMs, usage, error } = generation;
  log[isFailure(generation) ? 'warn' : 'info'](
    {
      requestId: sent?.requestId,
      transport: sent?.transport,
      address: sent?.address,
      generationId: id,
      owner,
      kind,
      model,
      status,
      charged: chargedFor(generation),
      code: error?.code,
      upstreamStatus: error?.status ?? sent?.upstreamStatus,
      durationMs: elapsedMs(createdAt, finishedAt),
      firstTokenMs,
      chunks: sent?.chunks,
      inputTokens: usage?.promptTokens,
      outputTokens: usage?.completionTokens ?? usage?.outputTokens,
    },
    'generation ended',
  );
}

function measureEnd(generation: GenerationSummary, finishedAt: number, metrics: Metrics): void {
  const { kind, status, createdAt, firstTokenMs, usage, error } = generation;
  const attributes = attributesOf(generation);
  metrics.record('gen_ai.client.operation.duration', (elapsedMs(createdAt, finishedAt) ?? 0) / 1000, {
    ...attributes,
    'error.type': error?.code,
    'gengraph.charged': chargedFor(generation),
  });
  if (firstTokenMs !== undefined)
    metrics.record('gen_ai.client.operation.time_to_first_chunk', firstTokenMs / 1000, attributes);
  const output = usage?.completionTokens ?? usage?.outputTokens;
  for (const [type, tokens] of [['input', usage?.promptTokens] as const, ['output', output] as const])
    if (tokens !== undefined)
      metrics.record('gen_ai.client.token.usage', tokens, { ...attributes, 'gen_ai.token.type': type });
  if (status === 'UNKNOWN')
    metrics.add('gengraph.generations.unknown', 1, { 'gen_ai.operation.name': operationNameOf(kind) });
}
