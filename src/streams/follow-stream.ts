import { type ExpectedError, NotFoundError, RequestError, StreamError } from '../errors.ts';
import { noteOrigin } from '../generations/operation-notes.ts';
import { type Feed, followValues, type Later, mapFeed } from '../lib/follow.ts';
import { contentNames, type Generation, type GenerationKind, type LazyGeneration } from '../store/records.ts';
import { toRecordedOutcome } from './recorded-outcome.ts';
import type { FollowOptions } from './recorded-stream.ts';
import type { StreamEvent } from './shape.ts';
import type { Engine, Operation } from '../generations/engine.ts';
import { findStream, type StreamedKind, type StreamOutcome, type StreamProgress } from './streamed-kind.ts';

interface EventBase<State> extends StreamProgress<State> {
  /** Undefined only when the create was refused. */
  readonly generation: LazyGeneration | undefined;
}

/** An event for a watcher: a snapshot, then deltas, then one end. */
export type GenerationEvent<State, Delta> =
  | (EventBase<State> & { readonly type: 'snapshot' })
  | (EventBase<State> & { readonly type: 'delta'; readonly fromSequence: number; readonly delta: Delta })
  | (EventBase<State> & { readonly type: 'completed' | 'canceled' })
  | (EventBase<State> & { readonly type: 'failed'; readonly error: ExpectedError });

export type GenerationEvents<State, Delta> = Feed<GenerationEvent<State, Delta>>;

/** The root fields of the kinds that stream. */
const followedBy: Partial<Record<GenerationKind, string>> = { CHAT: 'chatEvents', IMAGE: 'imageEvents' };

/**
 * Follows one of the caller's generations.
 * @throws NotFoundError when the caller has no such generation
 * @throws RequestError BAD_REQUEST when it is of another kind
 */
export async function followById<State, Delta>(
  operation: Operation<Pick<Engine, 'store' | 'tracing' | 'metrics' | 'streams' | 'remoteStreams'>>,
  streamed: StreamedKind<State, Delta>,
  followed: FollowOptions & { readonly id: string },
): Promise<GenerationEvents<State, Delta>> {
  const { engine, caller, notes } = operation;
  const { id, ...options } = followed;
  const { kind, noun } = streamed;
  const { owner } = caller;
  const { store, tracing, remoteStreams, streams } = engine;
  const running = streams.findRunning(owner, id)?.generation;
  // Only the whole record names the span of its create.
  const [recorded] = !running && (tracing || remoteStreams) ? await store.findGenerations(owner, [id]) : [];
  const whole = running ?? recorded;
  const [generation] = whole ? [whole] : await store.findSummaries(owner, [id]);
  if (!generation)
    throw new NotFoundError(`No ${noun} with this id was found. Check the id and the credential.`);
  if (generation.kind !== kind)
    throw new RequestError(
      'BAD_REQUEST',
      `This id is a generation of kind ${generation.kind}. Only kind ${kind} can be followed here: follow it with \`${followedBy[generation.kind] ?? 'generationChanged'}\`.`,
    );
  const isOpen = generation.finishedAt !== undefined || findStream(engine, streamed, id) !== undefined;
  const opening = isOpen ? undefined : streams.nextChange(id);
  // The stream opens soon, or the record of a refused create is deleted.
  if (opening) return opening.then(() => followById(operation, streamed, followed));
  if (notes) notes.generationId = id;
  noteOrigin(notes, whole?.traceparent);
  engine.metrics?.add('gengraph.streams.resumed');
  const local = findStream(engine, streamed, id)?.follow(options);
  if (local) return toEvents(local, generation);
  const remote = whole && followRemotely({ engine, streamed, generation: whole }, options);
  return remote ?? followRecord(streamed, { store, owner, id });
}

export interface FollowedStream<State, Delta> {
  readonly engine: Pick<Engine, 'streams' | 'remoteStreams'>;
  readonly streamed: StreamedKind<State, Delta>;
  readonly generation: Generation;
}

export function followStream<State, Delta>(
  followed: FollowedStream<State, Delta>,
  options: FollowOptions = {},
): GenerationEvents<State, Delta> {
  const { engine, streamed, generation } = followed;
  const local = findStream(engine, streamed, generation.id)?.follow(options);
  if (local) return toEvents(local, generation);
  return followRemotely(followed, options) ?? followValues(recordedEvents(streamed, generation));
}

function followRemotely<State, Delta>(
  { engine, streamed, generation }: FollowedStream<State, Delta>,
  options: FollowOptions,
): GenerationEvents<State, Delta> | undefined {
  if (streamed.isStreamed?.(generation) === false) return undefined;
  const feed = engine.remoteStreams?.follow(streamed, generation, options);
  return feed && toEvents(feed, generation);
}

/** Reads the record for each event, so that a client that is behind holds none. */
function followRecord<State, Delta>(
  streamed: StreamedKind<State, Delta>,
  { store, owner, id }: { readonly store: Engine['store']; readonly owner: string; readonly id: string },
): GenerationEvents<State, Delta> {
  const refs = contentNames.map((name) => ({ id, name }));
  const readEvent =
    (index: number): Later<GenerationEvent<State, Delta>> =>
    async (hold) => {
      const sizes = await store.measureContents(owner, refs);
      await hold?.reserve(sizes.reduce<number>((sum, size = 0) => sum + size, 0));
      const [generation] = await store.findGenerations(owner, [id]);
      return generation && recordedEvents(streamed, generation)[index];
    };
  return followValues<GenerationEvent<State, Delta>>([readEvent(0), readEvent(1)]);
}

function toEvents<State, Delta>(
  feed: Feed<StreamEvent<State, Delta, StreamOutcome>>,
  generation: LazyGeneration,
): GenerationEvents<State, Delta> {
  const shared = sharedBy(feed.origin ?? feed, generation);
  return mapFeed(feed, (event) => {
    // The event of a single watcher must not stay until the next one.
    if (!shared.isShared) return toGenerationEvent(event, shared.generation);
    if (event !== shared.from) {
      shared.event = toGenerationEvent(event, shared.generation);
      shared.from = event;
    }
    // `from` has the types of this stream.
    return shared.event as GenerationEvent<State, Delta>;
  });
}

interface Shared {
  readonly generation: LazyGeneration;
  /** Whether a second watcher has followed the stream. */
  isShared: boolean;
  /** The last event of the stream, and what watchers receive for it. */
  from?: unknown;
  event?: unknown;
}

const sharedByStream = new WeakMap<object, Shared>();

/** All watchers of a stream share one record, without the saved output: the stream already holds it. */
function sharedBy(origin: object, { output: _saved, ...generation }: LazyGeneration): Shared {
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
  const progress = streamed.fromOutput(generation.output);
  const end =
    generation.finishedAt === undefined
      ? notResumable(streamed, generation)
      : toRecordedOutcome(streamed, generation, generation);
  return [
    { ...progress, generation, type: 'snapshot' },
    toGenerationEvent({ ...progress, type: 'end', end }, generation),
  ];
}

function notResumable(
  { noun }: Pick<StreamedKind<never, never>, 'noun'>,
  generation: Generation,
): StreamOutcome {
  const message = `This ${noun} has not ended, but no server streams it. Read its generation instead.`;
  return { type: 'failed', generation, error: new StreamError('NOT_RESUMABLE', message) };
}

function toGenerationEvent<State, Delta>(
  event: StreamEvent<State, Delta, StreamOutcome>,
  generation: LazyGeneration,
): GenerationEvent<State, Delta> {
  if (event.type !== 'end') return { ...event, generation };
  const { end, sequence, state } = event;
  return { ...end, sequence, state };
}
