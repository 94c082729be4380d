import type { Exchange } from '../../bus/exchange.ts';
import type { Bus } from '../../bus/bus.ts';
import { generationTopic } from '../../generations/publish-changes.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Feed, follow, type FollowSource } from '../../lib/follow.ts';
import { outcomeOnce } from '../../lib/once.ts';
import type { Generation, GenerationSummary } from '../../store/records.ts';
import type { Sharing } from '../../store/sharing.ts';
import type { Store } from '../../store/store.ts';
import type { FollowOptions } from '../recorded-stream.ts';
import type { StreamEvent } from '../shape.ts';
import type { StreamedKind, StreamOutcome } from '../streamed-kind.ts';
import type { Streams } from '../streams.ts';
import { cancelRemotely } from './cancel-remotely.ts';
import { listenTo, type StreamChange, streamChange, topics } from './messages.ts';
import { keepAliveMs, Publisher } from './publisher.ts';
import { createRemoteProgress, type RemoteProgress } from './remote-progress.ts';
import { createReplica, type Replica } from './replica.ts';

export interface RemoteStreamsOptions {
  readonly streams: Pick<Streams, 'findAny' | 'cancel'>;
  readonly store: Pick<Store, 'findGenerations' | 'findSummaries'>;
  readonly sharing: Pick<Sharing, 'isAlive'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** How long instances keep the log of a finished stream. */
  readonly logMs: number;
}

interface Followed {
  readonly owner: string;
  /** Proves the types of the replica. */
  readonly shape: unknown;
  readonly replica: Replica<unknown, unknown>;
  readonly createdAt: number;
  readonly close: () => void;
}

const checkMs = 1000;
/** The clocks of the instances may differ by this much. */
const maxSkewMs = 5000;
/** A watcher that has not read for this long after it subscribed never does. */
const unopenedMs = 60_000;
/** The producer's last deltas arrive sooner. Without them, the record has what was saved. */
const endGraceMs = 300;

/** Streams of other instances, and those of this one for the others. Nothing is sent for a stream without remote watchers. */
export class RemoteStreams {
  readonly #options: RemoteStreamsOptions;
  readonly #publisher: Publisher;
  readonly #progress: RemoteProgress;
  readonly #followed = new Map<string, Followed>();
  readonly #stops: readonly (() => void)[];
  #cancelCheck: (() => void) | undefined;
  #keptAt: number;
  #lastToken = 0;

  constructor(options: RemoteStreamsOptions) {
    const { exchange, clock } = options;
    this.#options = options;
    this.#publisher = new Publisher(options);
    this.#progress = createRemoteProgress(options);
    this.#keptAt = clock.elapsed();
    this.#stops = [
      listenTo(exchange, topics.changes, streamChange, (change, sender) => this.#receive(change, sender)),
      exchange.onReconnected(() => {
        for (const { replica } of this.#followed.values()) replica.refresh();
      }),
    ];
  }

  /** Watchers of streams of other instances. */
  get watchers(): number {
    return [...this.#followed.values()].reduce((count, { replica }) => count + replica.watchers, 0);
  }

  /**
   * Follows a stream that another instance runs, or whose log it still holds. Ends when the record has ended. Undefined if the
   * record alone has everything.
   */
  follow<State, Delta>(
    streamed: StreamedKind<State, Delta>,
    generation: Generation,
    followOptions: FollowOptions,
  ): Feed<StreamEvent<State, Delta, StreamOutcome>> | undefined {
    const { clock, logMs } = this.#options;
    const { finishedAt } = generation;
    const mayHaveLog = finishedAt === undefined || clock.now() - finishedAt <= logMs + maxSkewMs;
    if (!mayHaveLog || (finishedAt !== undefined && followOptions.after === undefined)) return undefined;
    const { origin } = this.#replicaOf(streamed, generation);
    // The replica is another one if its last watcher has left since.
    return follow(
      foundAtOpening(() => this.#replicaOf(streamed, generation).follow(followOptions)),
      origin,
    );
  }

  /** The progress of a stream that another instance runs. Undefined if none answers in time. */
  findProgress(id: string): ReturnType<RemoteProgress['find']> {
    return this.#progress.find(id);
  }

  /**
   * Cancels a stream that another instance runs. Undefined if none recorded an end of it in time.
   * @throws RecordsUnavailableError if the record cannot be read
   */
  cancel(generation: Generation): Promise<GenerationSummary | undefined> {
    return cancelRemotely(this.#options, generation);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#cancelCheck?.();
    for (const [id, { replica }] of this.#followed) this.#remove(id, replica);
    this.#publisher.close();
    this.#progress.close();
  }

  #replicaOf<State, Delta>(
    streamed: StreamedKind<State, Delta>,
    generation: Generation,
  ): Replica<State, Delta> {
    const entry = this.#followed.get(generation.id);
    if (entry?.shape === streamed.shape && entry.replica.isCurrent(generation))
      // `#open` stored the replica with its shape, so an equal shape proves its types.
      return entry.replica as Replica<State, Delta>;
    entry?.close();
    return this.#open(streamed, generation);
  }

  #open<State, Delta>(streamed: StreamedKind<State, Delta>, generation: Generation): Replica<State, Delta> {
    const { store, sharing, bus, exchange, clock } = this.#options;
    const { id, owner } = generation;
    let cancelEnd: (() => void) | undefined;
    const replica = createReplica<State, Delta>({
      streamed,
      generation,
      clock,
      nextToken: () => (this.#lastToken += 1),
      ask: (request) => exchange.send(topics.follow, JSON.stringify(request)),
      findRecord: async () => (await store.findGenerations(owner, [id]))[0],
      maySend: async (instance) => (await sharing.isAlive(instance)) || !(await exchange.catchUp(instance)),
      onEmpty: () => this.#remove(id, replica),
    });
    const unsubscribe = bus.subscribe(generationTopic(owner), (changedId) => {
      if (changedId !== id || cancelEnd) return;
      cancelEnd = clock.after(endGraceMs, () => {
        cancelEnd = undefined;
        void replica.checkRecord();
      });
    });
    const close = (): void => {
      unsubscribe();
      cancelEnd?.();
    };
    if (generation.finishedAt !== undefined) replica.startEnded();
    this.#followed.set(id, { owner, shape: streamed.shape, replica, createdAt: clock.elapsed(), close });
    this.#scheduleCheck();
    return replica;
  }

  #remove(id: string, replica: unknown): void {
    const entry = this.#followed.get(id);
    // Another replica may have replaced it.
    if (entry?.replica !== replica || !entry) return;
    this.#followed.delete(id);
    entry.close();
    this.#announceLeave(id);
  }

  /** To all instances, like the requests: only messages to the same recipients arrive in order. */
  #announceLeave(id: string): void {
    this.#options.exchange.send(topics.leave, JSON.stringify([id]));
  }

  #receive(change: StreamChange, sender: string): void {
    const replica = this.#followed.get(change.id)?.replica;
    if (!replica) {
      if (change.type !== 'end') this.#announceLeave(change.id);
      return;
    }
    replica.receive(change, sender);
    if (change.type === 'end') void replica.checkRecord();
  }

  #scheduleCheck(): void {
    if (this.#followed.size > 0)
      this.#cancelCheck ??= this.#options.clock.after(checkMs, () => this.#check());
  }

  #check(): void {
    const { clock } = this.#options;
    this.#cancelCheck = undefined;
    for (const [id, { replica, createdAt }] of this.#followed) {
      if (replica.watchers === 0 && clock.elapsed() - createdAt >= unopenedMs) this.#remove(id, replica);
      replica.repeat();
    }
    // The next check repeats a failed one.
    void this.#checkRecords().catch(() => {});
    if (clock.elapsed() - this.#keptAt >= keepAliveMs) {
      this.#keptAt = clock.elapsed();
      this.#keepFollowing();
    }
    this.#scheduleCheck();
  }

  /** For ends that no message reported. */
  async #checkRecords(): Promise<void> {
    for (const [owner, entries] of Map.groupBy(this.#followed, ([, entry]) => entry.owner)) {
      const summaries = await this.#options.store.findSummaries(
        owner,
        entries.map(([id]) => id),
      );
      entries.forEach(([, { replica }], index) => {
        const summary = summaries[index];
        if (!summary || summary.finishedAt !== undefined) void replica.checkRecord();
      });
    }
  }

  #keepFollowing(): void {
    const byProducer = Map.groupBy(this.#followed, ([, { replica }]) => replica.producer ?? '');
    for (const [producer, entries] of byProducer) {
      const ids = entries.map(([id]) => id);
      if (producer !== '') this.#options.exchange.send(topics.keep, JSON.stringify(ids), producer);
    }
  }
}

/** A watcher holds no record, which may be large: `find` is not held after the opening. */
function foundAtOpening<T>(find: () => FollowSource<T>): FollowSource<T> {
  const found = outcomeOnce(find);
  return { open: (wake) => found().open(wake), take: () => found().take() };
}
