import { type Feed, follow } from '../../lib/follow.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Generation } from '../../store/records.ts';
import type { FollowOptions } from '../recorded-stream.ts';
import { createRecordedStream } from '../recorded-stream.ts';
import type { StreamEvent } from '../shape.ts';
import type { StreamedKind, StreamOutcome } from '../streamed-kind.ts';
import { toRecordedOutcome } from './recorded-outcome.ts';
import type { FollowRequest, StreamNews } from './messages.ts';
import { createReplicaLog } from './replica-log.ts';

export interface ReplicaOptions<State, Delta> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly generation: Generation;
  readonly clock: Clock;
  readonly ask: (request: FollowRequest) => void;
  /** The record of the generation. Undefined if it was deleted. */
  readonly findRecord: () => Promise<Generation | undefined>;
  /** The last watcher left. */
  readonly onEmpty: () => void;
}

/** A copy of a stream that another instance runs, with the same sequence numbers. */
export interface Replica<State, Delta> {
  /** The instance that runs the stream, once it has answered. */
  readonly producer: string | undefined;
  readonly watchers: number;
  follow(options: FollowOptions): Feed<StreamEvent<State, Delta, StreamOutcome>>;
  receive(news: StreamNews, sender: string): void;
  /** Asks the producer for everything that may be missing. */
  refresh(): void;
  /** Repeats the questions without an answer. */
  repeat(): void;
  /** Ends the replica if the record has ended. Never rejects. */
  checkRecord(): Promise<void>;
}

interface Watcher {
  readonly token: number;
  readonly after: number | undefined;
  /** Whether the replica is as new as the producer was when the watcher came. */
  isReady: boolean;
  readonly wake: () => void;
}

const maxLogLength = 100_000;
/** The end waits for missing deltas during this many checks. After that, watchers get the state of the record. */
const maxLateChecks = 2;
/** The token of questions that are not for a watcher. */
const noToken = 0;

export function createReplica<State, Delta>(options: ReplicaOptions<State, Delta>): Replica<State, Delta> {
  const { streamed, generation, clock, ask, findRecord, onEmpty } = options;
  const { id } = generation;
  const { shape } = streamed;
  const log = createReplicaLog(shape, maxLogLength);
  const stream = createRecordedStream<State, Delta, StreamOutcome>({
    id,
    shape,
    clock,
    maxLogLength,
    log,
    onWatchersChanged() {},
  });
  const watchers = new Set<Watcher>();
  let producer: string | undefined;
  let hasState = false;
  let isRefreshing = false;
  let lastToken = noToken;
  let lateChecks = 0;

  const askFor = ({ token, after }: Pick<Watcher, 'token' | 'after'>): void => {
    const isHeld = hasState && after !== undefined && stream.since(after) !== undefined;
    ask({
      id,
      token,
      ...(after !== undefined && !isHeld && { after }),
      ...(hasState && !isRefreshing && { sequence: stream.sequence }),
    });
  };
  const jumpTo = (state: State, sequence: number): void => {
    hasState = true;
    log.startAt(sequence);
    stream.reset(state, sequence);
  };
  const refresh = (): void => {
    isRefreshing = true;
    askFor({ token: noToken, after: hasState ? stream.sequence : undefined });
  };
  const receivePosition = ({ token, sequence, state, missed }: StreamNews & { type: 'position' }): void => {
    const isBehind = !hasState || sequence > stream.sequence;
    if (isBehind && state === undefined) return refresh();
    isRefreshing = false;
    // Known before the jump wakes the watchers. The producer's kind is the same, so are the types.
    if (missed && (isBehind || sequence === stream.sequence))
      log.addMissed({ after: missed.after, through: sequence, delta: missed.delta as Delta });
    if (isBehind) jumpTo(state as State, sequence);
    for (const watcher of watchers) {
      if (watcher.token !== token) continue;
      watcher.isReady = true;
      watcher.wake();
    }
  };
  const receiveDeltas = ({ from, deltas }: StreamNews & { type: 'deltas' }): void => {
    if (!hasState) return;
    const known = stream.sequence + 1 - from;
    if (known < 0) refresh();
    // Sent by the producer of a stream of this kind.
    else stream.append(deltas.slice(known) as Delta[]);
  };
  const checkRecord = async (): Promise<void> => {
    const record = await findRecord();
    if (stream.end || (record && record.finishedAt === undefined)) return;
    if (record) {
      const { state, sequence } = streamed.fromOutput(record.output);
      if (hasState && sequence > stream.sequence && lateChecks < maxLateChecks) {
        // The last deltas are on their way, or the producer still has them. Its answer leads to another check.
        lateChecks += 1;
        return refresh();
      }
      if (!hasState || sequence > stream.sequence) jumpTo(state, sequence);
    }
    await stream.finish(async () => toRecordedOutcome(streamed, generation, record));
    for (const watcher of watchers) {
      watcher.isReady = true;
      watcher.wake();
    }
  };

  return {
    get producer() {
      return producer;
    },
    get watchers() {
      return watchers.size;
    },
    follow(followOptions) {
      const { source } = stream.follow(followOptions);
      let watcher: Watcher | undefined;
      return follow(
        {
          open(wake) {
            const leave = source.open(wake);
            lastToken += 1;
            const { after } = followOptions;
            const opened = { token: lastToken, after, isReady: stream.end !== undefined, wake };
            watcher = opened;
            watchers.add(opened);
            if (!opened.isReady) askFor(opened);
            return () => {
              leave();
              watchers.delete(opened);
              if (watchers.size === 0) onEmpty();
            };
          },
          take: () => (watcher?.isReady ? source.take() : 'wait'),
        },
        log,
      );
    },
    receive(news, sender) {
      producer = sender;
      if (news.type === 'position') receivePosition(news);
      else if (news.type === 'deltas') receiveDeltas(news);
    },
    refresh,
    repeat() {
      if (isRefreshing) refresh();
      for (const watcher of watchers) if (!watcher.isReady) askFor(watcher);
    },
    // The next check repeats a failed one.
    checkRecord: () => checkRecord().catch(() => {}),
  };
}
