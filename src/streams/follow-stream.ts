import { type ExpectedError, NotFoundError, RequestError, StreamError } from '../errors.ts';
import { fromFailure } from '../generations/failure.ts';
import { noteOrigin } from '../generations/operation-notes.ts';
import { type Feed, followValues, mapFeed } from '../lib/follow.ts';
import type { Generation } from '../store/records.ts';
import type { FollowOptions } from './recorded-stream.ts';
import type { StreamEvent } from './shape.ts';
import type { Engine, Operation } from '../generations/engine.ts';
import { findStream, type StreamedKind, type StreamOutcome, type StreamProgress } from './streamed-kind.ts';

interface EventBase<State> extends StreamProgress<State> {
  /** Undefined only when the create was refused. */
  readonly generation: Generation | undefined;
}

/** An event for a watcher: a snapshot, then deltas, then one end. */
export type GenerationEvent<State, Delta> =
  | (EventBase<State> & { readonly type: 'snapshot' })
  | (EventBase<State> & { readonly type: 'delta'; readonly fromSequence: number; readonly delta: Delta })
  | (EventBase<State> & { readonly type: 'completed' | 'canceled' })
  | (EventBase<State> & { readonly type: 'failed'; readonly error: ExpectedError });

export type GenerationEvents<State, Delta> = Feed<GenerationEvent<State, Delta>>;

/**
 * Follows one of the caller's generations.
 * @throws NotFoundError when the caller has no such generation
 * @throws RequestError BAD_REQUEST when it is of another kind
 */
export async function followById<State, Delta>(
  { engine, caller, notes }: Operation,
  streamed: StreamedKind<State, Delta>,
  { id, ...options }: FollowOptions & { readonly id: string },
): Promise<GenerationEvents<State, Delta>> {
  const { kind, noun } = streamed;
  const [generation] = await engine.store.findGenerations(caller.owner, [id]);
  if (!generation)
    throw new NotFoundError(`No ${noun} with this id was found. Check the id and the credential.`);
  if (generation.kind !== kind)
    throw new RequestError(
      'BAD_REQUEST',
      `This id is a generation of kind ${generation.kind}. Only kind ${kind} can be followed here: follow it with \`generationChanged\`.`,
    );
  if (notes) notes.generationId = id;
  noteOrigin(notes, generation.traceparent);
  engine.metrics?.add('gengraph.streams.resumed');
  return followStream({ engine, streamed, generation }, options);
}

export interface FollowedStream<State, Delta> {
  readonly engine: Pick<Engine, 'streams' | 'remoteStreams'>;
  readonly streamed: StreamedKind<State, Delta>;
  readonly generation: Generation;
}

export function followStream<State, Delta>(
  { engine, streamed, generation }: FollowedStream<State, Delta>,
  options: FollowOptions = {},
): GenerationEvents<State, Delta> {
  const feed =
    findStream(engine, streamed, generation.id)?.follow(options) ??
    ((streamed.isStreamed?.(generation) ?? true)
      ? engine.remoteStreams?.follow(streamed, generation, options)
      : undefined);
  if (!feed) return followValues(recordedEvents(streamed, generation));
  const shared = sharedBy(feed.origin ?? feed, generation);
  return mapFeed(feed, (event) => {
    // The event of a single watcher must not stay until the next one.
    if (!shared.isShared) return toGenerationEvent(streamed, event, shared.generation);
    if (event !== shared.from) {
      shared.event = toGenerationEvent(streamed, event, shared.generation);
      shared.from = event;
    }
    // `from` has the types of this stream.
    return shared.event as GenerationEvent<State, Delta>;
  });
}

interface Shared {
  readonly generation: Generation;
  /** Whether a second watcher has followed the stream. */
  isShared: boolean;
  /** The last event of the stream, and what watchers receive for it. */
  from?: unknown;
  event?: unknown;
}

const sharedByStream = new WeakMap<object, Shared>();

/** All watchers of a stream share one record, without the saved output: the stream already holds it. */
function sharedBy(origin: object, { output: _saved, ...generation }: Generation): Shared {
  const known = sharedByStream.get(origin);
  if (known) {
    known.isShared = true;
    return known;
  }
  const shared: Shared = { generation, isShared: false };
  sharedByStream.set(origin, shared);
  return shared;
}

/** The only event of a stream that was refused, or whose outcome is unknown: then with its generation. */
export function failedStream<State, Delta>(
  streamed: StreamedKind<State, Delta>,
  error: ExpectedError,
  generation: Generation | undefined,
): GenerationEvents<State, Delta> {
  const progress = streamed.fromOutput(generation?.output);
  return followValues<GenerationEvent<State, Delta>>([{ type: 'failed', ...progress, generation, error }]);
}

/** Snapshot and end rebuilt from the record, after the log has expired. */
function recordedEvents<State, Delta>(
  streamed: StreamedKind<State, Delta>,
  generation: Generation,
): readonly GenerationEvent<State, Delta>[] {
  const base = { ...streamed.fromOutput(generation.output), generation };
  const snapshot = { ...base, type: 'snapshot' } as const;
  if (generation.status === 'SUCCEEDED') return [snapshot, { ...base, type: 'completed' }];
  if (generation.status === 'CANCELED') return [snapshot, { ...base, type: 'canceled' }];
  return [snapshot, { ...base, type: 'failed', error: recordedError(streamed, generation) }];
}

function recordedError<State, Delta>(
  { noun }: StreamedKind<State, Delta>,
  { id, error, finishedAt }: Generation,
): ExpectedError {
  if (error) return fromFailure(error, id);
  return finishedAt === undefined
    ? new StreamError('NOT_RESUMABLE', `This ${noun} runs on another instance and cannot be followed here.`)
    : new StreamError('INTERRUPTED', `The server that ran this ${noun} stopped.`);
}

function toGenerationEvent<State, Delta>(
  { noun }: StreamedKind<State, Delta>,
  event: StreamEvent<State, Delta, StreamOutcome>,
  generation: Generation,
): GenerationEvent<State, Delta> {
  const { sequence, state } = event;
  switch (event.type) {
    case 'snapshot':
      return { type: 'snapshot', sequence, state, generation };
    case 'delta':
      return {
        type: 'delta',
        sequence,
        state,
        generation,
        fromSequence: event.fromSequence,
        delta: event.delta,
      };
    case 'end': {
      const { type, error } = event.end;
      const base = { sequence, state, generation: event.end.generation };
      if (type !== 'failed') return { ...base, type };
      return { ...base, type, error: error ?? new StreamError('INTERRUPTED', `The ${noun} ended early.`) };
    }
    default:
      return event satisfies never;
  }
}
