import { type ExpectedError, NotFoundError, OutcomeUnknownError } from '../errors.ts';
import { toFailure } from '../generations/failure.ts';
import { toRecordedReply } from '../generations/recorded-reply.ts';
import type { Generation, GenerationPatch, LazyGeneration } from '../store/records.ts';
import { isLarge } from '../lib/json-size.ts';
import type { Engine } from '../generations/engine.ts';
import { attributesOf } from '../generations/report-generations.ts';
import type { ReplyOutcome } from './drain-reply.ts';
import { toRecordedOutcome } from './recorded-outcome.ts';
import { storeEnd } from './store-end.ts';
import {
  findStream,
  type GenerationStream,
  type StreamedKind,
  type StreamOutcome,
  type StreamProgress,
  type StreamTiming,
} from './streamed-kind.ts';

/** What records the end of a stream. */
export type EndParts = Pick<
  Engine,
  | 'streams'
  | 'store'
  | 'writeRetries'
  | 'log'
  | 'clock'
  | 'maxReplyBytes'
  | 'metrics'
  | 'loggedCreates'
  | 'generationTraces'
>;

export interface EndOptions<State, Delta> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly engine: EndParts;
  readonly generation: LazyGeneration;
  readonly stream: GenerationStream<State, Delta>;
}

/** Ends a stream with the outcome of its reply. */
export async function endStream<State, Delta>(
  run: EndOptions<State, Delta>,
  outcome: ReplyOutcome,
): Promise<void> {
  const { stream, streamed } = run;
  const document = outcome.type === 'completed' ? outcome.document : undefined;
  const error = outcome.type === 'failed' ? outcome.error : streamed.findFailure?.(stream.state, document);
  const commit = (state: State, sequence: number): Promise<StreamOutcome> => {
    const status =
      error === undefined ? 'SUCCEEDED' : error instanceof OutcomeUnknownError ? 'UNKNOWN' : 'FAILED';
    const patch = {
      status,
      ...(error && { error: toFailure(error) }),
      ...(document !== undefined && { raw: document }),
    } as const;
    return commitEnd(run, { state, sequence }, patch);
  };
  // The source of a failed stream may still be open, after an unreadable part or an in-band error. Abort it.
  await (error ? stream.stop(error, commit) : stream.finish(commit));
}

/** Ends a stream for a reason other than the end of its reply. */
export async function stopStream<State, Delta>(
  run: EndOptions<State, Delta>,
  { status, error }: { readonly status: 'CANCELED' | 'FAILED'; readonly error?: ExpectedError },
): Promise<void> {
  const reason = error ?? new Error('canceled by its client');
  await run.stream.stop(reason, (state, sequence) =>
    commitEnd(run, { state, sequence }, { status, ...(error && { error: toFailure(error) }) }),
  );
}

/**
 * Aborts a stream's request to the gateway. Returns the recorded generation. A stream that has ended keeps its first end, unless
 * another instance recorded it for one that seemed dead, and is alive.
 * @throws NotFoundError if its record was deleted meanwhile: its create was refused, or its client deleted it
 * @throws RecordsUnavailableError if the end cannot be recorded for 30 seconds
 */
export async function cancelStream<State, Delta>(
  streamed: StreamedKind<State, Delta>,
  generation: Generation,
  engine: EndParts & Pick<Engine, 'remoteStreams'>,
): Promise<LazyGeneration> {
  const stream = findStream(engine, streamed, generation.id);
  if (stream) {
    // If it fails, the wait for the end fails too.
    stopStream({ streamed, engine, generation, stream }, { status: 'CANCELED' }).catch(() => {});
    return (await stream.waitForEnd()).generation;
  }
  // The stream runs on another instance, which records its end with all of its output.
  const canceled = await engine.remoteStreams?.cancel(generation);
  if (canceled) return canceled;
  // Nothing else could have stopped, so what the record says about money is still true.
  if (generation.finishedAt !== undefined && !engine.remoteStreams) return generation;
  // No instance runs it: its producer died, cannot be reached, or is about to start it. A living producer finds the end in the
  // record, stops, and adds the output received so far.
  const end = { status: 'CANCELED', finishedAt: engine.clock.now(), isVisible: true } as const;
  const ended = await engine.store.endGeneration(generation.id, end);
  if (!ended) throw new NotFoundError('The record of this generation was deleted meanwhile.');
  return ended;
}

/** Records the end of a stream. Watchers receive it only after that. */
async function commitEnd<State, Delta>(
  { engine, generation, streamed, stream }: EndOptions<State, Delta>,
  progress: StreamProgress<State>,
  { raw = stream.reader.toRaw(progress.state), ...patch }: GenerationPatch,
): Promise<StreamOutcome> {
  const { reader, redactor, timing } = stream;
  const output = redactor.value(streamed.toOutput(progress));
  measureChunks({ engine, generation, timing, chunks: progress.sequence });
  engine.loggedCreates.noteChunks(generation.id, progress.sequence);
  if (raw !== undefined) engine.generationTraces?.noteReply(generation.id, streamed.describeReply?.(raw));
  const decoded = { status: patch.status, output };
  const recorded = raw === undefined ? undefined : await toRecordedReply(raw, decoded, engine.maxReplyBytes);
  const complete: GenerationPatch = {
    // Every end keeps the output received so far, and the usage if the gateway reported it.
    usage: reader.usage,
    firstTokenMs:
      timing.firstTokenAt === undefined ? undefined : Math.round(timing.firstTokenAt - timing.sentAt),
    ...(recorded !== undefined && { raw: redactor.value(recorded) }),
    ...patch,
    finishedAt: engine.clock.now(),
    isVisible: true,
    output,
  };
  const ended = await storeEnd(engine, generation.id, complete);
  const kept = { ...withoutLargeRequest(generation), ...complete };
  return toRecordedOutcome(streamed, kept, ended && { ...kept, ...ended });
}

interface MeasuredStream {
  readonly engine: Pick<Engine, 'metrics' | 'clock'>;
  readonly generation: LazyGeneration;
  readonly timing: StreamTiming;
  readonly chunks: number;
}

/** Measures the mean time between two chunks: a measurement per chunk would cost more than the chunk. */
function measureChunks({ engine, generation, timing, chunks }: MeasuredStream): void {
  const { metrics, clock } = engine;
  const { firstTokenAt } = timing;
  if (!metrics || firstTokenAt === undefined || chunks < 2) return;
  const perChunk = (clock.elapsed() - firstTokenAt) / 1000 / (chunks - 1);
  metrics.record('gen_ai.client.operation.time_per_output_chunk', perChunk, attributesOf(generation));
}

/** What the log of a stream holds, also for a while after its end. A large prompt and request are read when they are needed. */
export function withoutLargeRequest(generation: LazyGeneration): LazyGeneration {
  const { prompt, input, ...rest } = generation;
  return isLarge([prompt, input]) ? rest : generation;
}
