import { type ExpectedError, OutcomeUnknownError, StreamError } from '../../errors.ts';
import { fromFailure, toFailure } from '../../generations/failure.ts';
import { withoutMedia } from '../../generations/without-media.ts';
import type { Generation, GenerationPatch } from '../../store/records.ts';
import { registerCancellation } from '../cancel.ts';
import type { Context } from '../context.ts';
import type { Engine } from '../../generations/engine.ts';
import type { ReplyOutcome } from './drain-reply.ts';
import {
  findStream,
  type GenerationStream,
  type StreamedKind,
  type StreamOutcome,
  type StreamProgress,
} from './streamed-kind.ts';

export interface EndOptions<State, Delta> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly engine: Engine;
  readonly generation: Generation;
  readonly stream: GenerationStream<State, Delta>;
}

/** Ends a stream as its reply did. */
export async function endStream<State, Delta>(
  run: EndOptions<State, Delta>,
  outcome: ReplyOutcome,
): Promise<void> {
  const { stream, streamed } = run;
  const document = outcome.type === 'completed' ? outcome.document : undefined;
  const error =
    outcome.type === 'failed' ? outcome.error : streamed.findFailure?.(stream.state, document !== undefined);
  const commit = (state: State, sequence: number): Promise<StreamOutcome> => {
    const status =
      error === undefined ? 'SUCCEEDED' : error instanceof OutcomeUnknownError ? 'UNKNOWN' : 'FAILED';
    const patch = {
      status,
      ...(error && { error: toFailure(error) }),
      ...(document !== undefined && { raw: withoutMedia(document) }),
    } as const;
    return commitEnd(run, { progress: { state, sequence }, patch, error });
  };
  // A failed stream's source may still be open (an unreadable part, an error in-band): let go of it.
  await (error ? stream.stop(error, commit) : stream.finish(commit));
}

/** Ends a stream for a reason other than its reply's. */
export async function stopStream<State, Delta>(
  run: EndOptions<State, Delta>,
  { status, error }: { readonly status: 'CANCELED' | 'FAILED'; readonly error?: ExpectedError },
): Promise<void> {
  const reason = error ?? new Error('cancelled by its client');
  await run.stream.stop(reason, (state, sequence) =>
    commitEnd(run, {
      progress: { state, sequence },
      patch: { status, ...(error && { error: toFailure(error) }) },
      error,
    }),
  );
}

/** Lets generations of a streamed kind be cancelled, on whichever instance they run. */
export function registerStreamCancellation<State, Delta>(streamed: StreamedKind<State, Delta>): void {
  registerCancellation(streamed.kind, {
    applies: (generation) => streamed.isStreamed(generation),
    cancel: (generation, context) => cancelStream(streamed, generation, context),
  });
}

/** Stops a stream at the gateway. The first end wins: the generation is returned as it is then. */
export async function cancelStream<State, Delta>(
  streamed: StreamedKind<State, Delta>,
  generation: Generation,
  { engine }: Context,
): Promise<Generation> {
  const stream = findStream(engine, streamed, generation.id);
  if (stream) {
    await stopStream({ streamed, engine, generation, stream }, { status: 'CANCELED' });
    return (await stream.ended).generation;
  }
  // On another instance, or about to begin: whoever runs it sees its end in the record, lets go, and adds what had arrived.
  const end = { status: 'CANCELED', finishedAt: engine.clock.now(), isVisible: true } as const;
  return (await engine.store.endGeneration(generation.id, end)) ?? generation;
}

interface CommitEnd<State> {
  readonly progress: StreamProgress<State>;
  readonly patch: GenerationPatch;
  readonly error?: ExpectedError | undefined;
}

/** Records how a stream ended; watchers hear of it after that. */
async function commitEnd<State, Delta>(
  { engine, generation, streamed, stream }: EndOptions<State, Delta>,
  { progress, patch, error }: CommitEnd<State>,
): Promise<StreamOutcome> {
  const { reader } = stream;
  const complete: GenerationPatch = {
    // However it ended: what had arrived, and what it cost where that was told.
    usage: reader.usage,
    raw: patch.raw === undefined ? withoutMedia(reader.toRaw(progress.state)) : patch.raw,
    ...patch,
    finishedAt: engine.clock.now(),
    isVisible: true,
    output: streamed.toOutput(progress),
  };
  try {
    const ended = await engine.store.endGeneration(generation.id, complete);
    if (ended) return toOutcome(ended, error);
    // It can be forgotten only once it has ended, hence through another instance.
    const forgotten = new StreamError(
      'INTERRUPTED',
      `This ${streamed.noun} was ended elsewhere, and forgotten.`,
    );
    return {
      type: 'failed',
      generation: { ...generation, ...complete, status: 'FAILED', error: toFailure(forgotten) },
      error: forgotten,
    };
  } catch (cause) {
    // Watchers are told all the same: what they have seen is true, and the record will say so.
    engine.log.error(
      { err: cause, generationId: generation.id },
      'the end of a stream cannot be recorded yet',
    );
    engine.later.add('the end of a stream', () => engine.store.endGeneration(generation.id, complete));
    return toOutcome({ ...generation, ...complete }, error);
  }
}

/** As the record has it: an end from elsewhere may have been the first. */
function toOutcome(generation: Generation, error: ExpectedError | undefined): StreamOutcome {
  const { status } = generation;
  if (status === 'SUCCEEDED') return { type: 'completed', generation };
  if (status === 'CANCELED') return { type: 'canceled', generation };
  const isOurs = error !== undefined && generation.error?.code === error.code;
  const told = generation.error && fromFailure(generation.error, generation.id);
  return { type: 'failed', generation, error: isOurs ? error : (told ?? error) };
}
