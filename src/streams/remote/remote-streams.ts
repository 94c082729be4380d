import type { Exchange } from '../../bus/exchange.ts';
import type { Bus } from '../../bus/bus.ts';
import { generationTopic } from '../../generations/publish-changes.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Feed } from '../../lib/follow.ts';
import type { Generation, GenerationSummary } from '../../store/records.ts';
import type { Sharing, Store } from '../../store/store.ts';
import type { FollowOptions } from '../recorded-stream.ts';
import type { StreamEvent } from '../shape.ts';
import type { StreamedKind, StreamOutcome } from '../streamed-kind.ts';
import type { Streams } from '../streams.ts';
import { cancelRemotely } from './cancel-remotely.ts';
import { listenTo, streamChange, topics } from './messages.ts';
import { createPublisher, keepAliveMs } from './publisher.ts';
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

/** Streams of other instances, and those of this one for the others. Nothing is sent for a stream without remote watchers. */
export interface RemoteStreams {
  /**
   * Follows a stream that another instance runs, or whose log it still holds. Ends when the record has ended. Undefined if the
   * record alone has everything.
   */
  follow<State, Delta>(
    streamed: StreamedKind<State, Delta>,
    generation: Generation,
    options: FollowOptions,
  ): Feed<StreamEvent<State, Delta, StreamOutcome>> | undefined;
  /**
   * Cancels a stream that another instance runs. Undefined if none recorded an end of it in time.
   * @throws RecordsUnavailableError if the record cannot be read
   */
  cancel(generation: Generation): Promise<GenerationSummary | undefined>;
  /** The progress of a stream that another instance runs. Undefined if none answers in time. */
  readonly findProgress: RemoteProgress['find'];
  /** Watchers of streams of other instances. */
  readonly watchers: number;
  close(): void;
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

export function createRemoteStreams(options: RemoteStreamsOptions): RemoteStreams {
  const { store, sharing, bus, exchange, clock, logMs } = options;
  const publisher = createPublisher(options);
  const progress = createRemoteProgress(options);
  const followed = new Map<string, Followed>();
  let cancelCheck: (() => void) | undefined;
  let keptAt = clock.elapsed();
  let lastToken = 0;

  // To all instances, like the requests: only messages to the same recipients arrive in order.
  const announceLeave = (id: string): void => exchange.send(topics.leave, JSON.stringify([id]));
  const remove = (id: string, replica: unknown = followed.get(id)?.replica): void => {
    const entry = followed.get(id);
    // Another replica may have replaced it.
    if (entry?.replica !== replica || !entry) return;
    followed.delete(id);
    entry.close();
    announceLeave(id);
  };
  const keepFollowing = (): void => {
    const byProducer = Map.groupBy(followed, ([, { replica }]) => replica.producer ?? '');
    for (const [producer, entries] of byProducer) {
      const ids = entries.map(([id]) => id);
      if (producer !== '') exchange.send(topics.keep, JSON.stringify(ids), producer);
    }
  };
  /** For ends that no message reported. */
  const checkRecords = async (): Promise<void> => {
    for (const [owner, entries] of Map.groupBy(followed, ([, entry]) => entry.owner)) {
      const summaries = await store.findSummaries(
        owner,
        entries.map(([id]) => id),
      );
      entries.forEach(([, { replica }], index) => {
        const summary = summaries[index];
        if (!summary || summary.finishedAt !== undefined) void replica.checkRecord();
      });
    }
  };
  const check = (): void => {
    cancelCheck = undefined;
    for (const [id, { replica, createdAt }] of followed) {
      if (replica.watchers === 0 && clock.elapsed() - createdAt >= unopenedMs) remove(id);
      replica.repeat();
    }
    // The next check repeats a failed one.
    void checkRecords().catch(() => {});
    if (clock.elapsed() - keptAt >= keepAliveMs) {
      keptAt = clock.elapsed();
      keepFollowing();
    }
    scheduleCheck();
  };
  const scheduleCheck = (): void => {
    if (followed.size > 0) cancelCheck ??= clock.after(checkMs, check);
  };
  const open = <State, Delta>(
    streamed: StreamedKind<State, Delta>,
    generation: Generation,
  ): Replica<State, Delta> => {
    const { id, owner } = generation;
    let cancelEnd: (() => void) | undefined;
    const replica = createReplica<State, Delta>({
      streamed,
      generation,
      clock,
      nextToken: () => (lastToken += 1),
      ask: (request) => exchange.send(topics.follow, JSON.stringify(request)),
      findRecord: async () => (await store.findGenerations(owner, [id]))[0],
      maySend: async (instance) => (await sharing.isAlive(instance)) || !(await exchange.catchUp(instance)),
      onEmpty: () => remove(id, replica),
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
    followed.set(id, { owner, shape: streamed.shape, replica, createdAt: clock.elapsed(), close });
    scheduleCheck();
    return replica;
  };
  const stopListening = listenTo(exchange, topics.changes, streamChange, (change, sender) => {
    const replica = followed.get(change.id)?.replica;
    if (!replica) {
      if (change.type !== 'end') announceLeave(change.id);
      return;
    }
    replica.receive(change, sender);
    if (change.type === 'end') void replica.checkRecord();
  });
  const stopReconnecting = exchange.onReconnected(() => {
    for (const { replica } of followed.values()) replica.refresh();
  });

  return {
    follow<State, Delta>(
      streamed: StreamedKind<State, Delta>,
      generation: Generation,
      followOptions: FollowOptions,
    ) {
      const { id, finishedAt } = generation;
      const mayHaveLog = finishedAt === undefined || clock.now() - finishedAt <= logMs + maxSkewMs;
      if (!mayHaveLog || (finishedAt !== undefined && followOptions.after === undefined)) return undefined;
      const entry = followed.get(id);
      // `open` stored the replica with its shape, so an equal shape proves its types.
      const known =
        entry?.shape === streamed.shape && entry.replica.isCurrent(generation)
          ? (entry.replica as Replica<State, Delta>)
          : undefined;
      if (!known) entry?.close();
      return (known ?? open(streamed, generation)).follow(followOptions);
    },
    findProgress: progress.find,
    cancel: (generation) => cancelRemotely(options, generation),
    get watchers() {
      return [...followed.values()].reduce((count, { replica }) => count + replica.watchers, 0);
    },
    close() {
      stopListening();
      stopReconnecting();
      cancelCheck?.();
      for (const id of followed.keys()) remove(id);
      publisher.close();
      progress.close();
    },
  };
}
