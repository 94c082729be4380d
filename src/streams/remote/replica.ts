import type { FollowSource } from '../../lib/follow.ts';
import type { Clock } from '../../lib/clock.ts';
import { largeChars, sizeOfValue } from '../../lib/json-size.ts';
import type { Generation, GenerationFailure } from '../../store/records.ts';
import { toRecordedOutcome } from '../recorded-outcome.ts';
import { createRecordedStream, type FollowOptions } from '../recorded-stream.ts';
import { maxLogLength, type StreamEvent } from '../shape.ts';
import type { StreamedKind, StreamOutcome } from '../streamed-kind.ts';
import { answerMs, type FollowRequest, type StreamChange } from './messages.ts';
import { createReplicaLog, type Missed } from './replica-log.ts';

export interface ReplicaOptions<State, Delta> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly generation: Generation;
  readonly clock: Clock;
  /** Unique in this process: equal questions of two replicas would be sent once. */
  readonly nextToken: () => number;
  readonly ask: (request: FollowRequest) => void;
  /** The record of the generation. Undefined if it was deleted. */
  readonly findRecord: () => Promise<Generation | undefined>;
  /** Whether messages of this instance can still arrive: it is alive, or not all of its messages were read. */
  readonly maySend: (instance: string) => Promise<boolean>;
  /** The last watcher left. */
  readonly onEmpty: () => void;
}

/** A copy of a stream that another instance runs, with the same sequence numbers. */
export interface Replica<State, Delta> {
  /** The instance that runs the stream, once it has answered. */
  readonly producer: string | undefined;
  readonly watchers: number;
  /** Whether it has the end of this record, if the record has ended: an end that was recorded for an instance that seemed dead can change. */
  isCurrent(record: Pick<Generation, 'status' | 'finishedAt'>): boolean;
  /** The same for all watchers. */
  readonly origin: object;
  follow(options: FollowOptions): FollowSource<StreamEvent<State, Delta, StreamOutcome>>;
  /** The producer's kind is the same, so are the types. */
  receive(change: StreamChange<State, Delta>, sender: string): void;
  /** Takes state and end from the record. The producer may still have the deltas. Called before the first watcher comes. */
  startEnded(): void;
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
  /** Whether the replica is as new as the producer was when the watcher came, and has what the watcher misses. */
  isReady: boolean;
  readonly wake: () => void;
  cancelDeadline?: () => void;
}

/**
 * The end waits this long for missing deltas of a producer that is alive: one that was cut off from the database continues
 * within its lease. After that, watchers get the state of the record.
 */
const maxLateMs = 10_000;

export function createReplica<State, Delta>(options: ReplicaOptions<State, Delta>): Replica<State, Delta> {
  const { streamed, generation, clock, nextToken, ask, findRecord, maySend, onEmpty } = options;
  const { id } = generation;
  const { shape } = streamed;
  const log = createReplicaLog(shape, maxLogLength);
  const stream = createRecordedStream<State, Delta, StreamOutcome>({
    id,
    shape,
    clock,
    log,
    onWatchersChanged() {},
  });
  const watchers = new Set<Watcher>();
  let producer: string | undefined;
  let hasState = false;
  /** The question for everything that may be missing, until it is answered. */
  let asked: { readonly token: number; readonly after: number | undefined } | undefined;
  /** The last one whose missed deltas may be long. */
  let longWatcher: Watcher | undefined;
  let hasEnded = false;
  /** Whether the gateway has accepted the create. */
  let isAccepted = generation.isVisible;
  /** Why the create was refused. */
  let refusal: GenerationFailure | undefined;
  /** When the record had an end that is ahead of the replica. */
  let lateSince: number | undefined;

  const isHeld = (after: number): boolean => hasState && stream.since(after) !== undefined;
  const isMissing = (after: number): boolean => after >= 0 && after < stream.sequence && !isHeld(after);
  /** Whether the deltas after this sequence are long, if all are about equal. */
  const isLong = (after: number): boolean => {
    const { sequence, state } = stream;
    return sizeOfValue(state, Infinity) * (sequence - after) > largeChars * sequence;
  };
  /** Long deltas are asked for once at a time, because messages beyond a total are dropped. Other watchers get a snapshot. */
  const mayAskAfter = (watcher: Watcher, after: number): boolean => {
    if (!hasState) longWatcher = watcher;
    if (!hasState || !isLong(after)) return true;
    if (!longWatcher || longWatcher.isReady || !watchers.has(longWatcher)) longWatcher = watcher;
    return longWatcher === watcher;
  };
  const askFor = (watcher: Watcher): void => {
    const { token, after } = watcher;
    const isWanted = after !== undefined && !isHeld(after) && mayAskAfter(watcher, after);
    ask({
      id,
      token,
      ...(isWanted && { after }),
      ...(hasState && !asked && { sequence: stream.sequence }),
    });
  };
  /** Answers have the whole state until the replica has it: one question is enough meanwhile. */
  const askForWaiting = (): void => {
    for (const watcher of watchers) {
      if (asked) return;
      if (watcher.isReady) continue;
      askFor(watcher);
      if (!hasState) return;
    }
  };
  const setReady = (watcher: Watcher): void => {
    watcher.isReady = true;
    watcher.cancelDeadline?.();
    watcher.wake();
  };
  /** The stream has ended. Its producer may still have what the watcher misses. Otherwise, it gets the state of the record. */
  const finishFor = (watcher: Watcher): void => {
    const { after, isReady } = watcher;
    if (isReady || after === undefined || !isMissing(after) || !mayAskAfter(watcher, after))
      return setReady(watcher);
    askFor(watcher);
    watcher.cancelDeadline = clock.after(answerMs, () => setReady(watcher));
  };
  /** Without the deltas up to there, watchers get another snapshot. */
  const jumpTo = (state: State, sequence: number, missed?: Missed<Delta>): void => {
    const isBridged = hasState && missed?.after === stream.sequence;
    hasState = true;
    if (isBridged) log.skip(missed, stream.state);
    else log.startAt(sequence);
    stream.reset(state, sequence);
  };
  const refresh = (): void => {
    if (hasEnded) return;
    const after = hasState ? stream.sequence : undefined;
    if (!asked || asked.after !== after) asked = { token: nextToken(), after };
    ask({ id, token: asked.token, ...(after !== undefined && { after }) });
  };
  /** Whether the producer has no deltas from here to its position: the log evicted them. */
  const isLastWord = (token: number): boolean => token === asked?.token && asked.after === stream.sequence;
  type Change = StreamChange<State, Delta>;
  const receivePosition = ({ token, sequence, state, missed }: Change & { type: 'position' }): void => {
    const isBehind = !hasEnded && (!hasState || sequence > stream.sequence);
    const isBridge = missed?.after === stream.sequence || isLastWord(token);
    if (isBehind && (state === undefined || (hasState && !isBridge))) return refresh();
    const wasMissing = !hasState || asked !== undefined;
    asked = undefined;
    const known = missed && { ...missed, through: sequence };
    // Known before the jump wakes the watchers.
    if (known && (isBehind || sequence === stream.sequence)) log.addMissed(known);
    if (isBehind && state !== undefined) jumpTo(state, sequence, known);
    for (const watcher of watchers) if (watcher.token === token) setReady(watcher);
    if (wasMissing) askForWaiting();
  };
  const receiveDeltas = ({ from, deltas }: Change & { type: 'deltas' }): void => {
    if (!hasState) return;
    const known = stream.sequence + 1 - from;
    if (known < 0) refresh();
    else stream.append(deltas.slice(known));
  };
  const endAs = async (record: Generation | undefined): Promise<void> => {
    hasEnded = true;
    asked = undefined;
    const isVisible = isAccepted || stream.sequence > 0;
    const known = { ...generation, finishedAt: clock.now(), error: refusal, isVisible };
    await stream.finish(async () => toRecordedOutcome(streamed, known, record));
    for (const watcher of watchers) finishFor(watcher);
  };
  /** Whether the last deltas are on their way, or the producer still has them. */
  const mayArrive = async (): Promise<boolean> => {
    lateSince ??= clock.elapsed();
    const isInTime = clock.elapsed() - lateSince < maxLateMs;
    return isInTime && producer !== undefined && (await maySend(producer));
  };
  const checkRecord = async (): Promise<void> => {
    if (hasEnded) return;
    const found = await findRecord();
    isAccepted ||= found?.isVisible === true;
    // A refused create is over, also before its record is deleted.
    const record = refusal && found?.finishedAt === undefined ? undefined : found;
    if (hasEnded || (record && record.finishedAt === undefined)) return;
    if (record) {
      const { state, sequence } = streamed.fromOutput(record.output);
      const isBehind = (): boolean => !hasState || sequence > stream.sequence;
      // The producer's answer, and its end message, lead to another check.
      if (hasState && isBehind() && (await mayArrive()) && isBehind()) return refresh();
      if (hasEnded) return;
      if (isBehind()) jumpTo(state, sequence);
    }
    await endAs(record);
  };
  const openWatcher = ({ after }: FollowOptions, wake: () => void): Watcher => {
    const watcher: Watcher = { token: nextToken(), after, isReady: false, wake };
    watchers.add(watcher);
    if (hasEnded) finishFor(watcher);
    else if (!asked && (hasState || watchers.size === 1)) askFor(watcher);
    return watcher;
  };

  return {
    get producer() {
      return producer;
    },
    get watchers() {
      return watchers.size;
    },
    origin: log,
    isCurrent: ({ status, finishedAt }) =>
      finishedAt === undefined || stream.end === undefined || stream.end.generation.status === status,
    follow(followOptions) {
      const { source } = stream.follow(followOptions);
      let watcher: Watcher | undefined;
      return {
        open(wake) {
          const leave = source.open(wake);
          const opened = openWatcher(followOptions, wake);
          watcher = opened;
          return () => {
            leave();
            opened.cancelDeadline?.();
            watchers.delete(opened);
            if (watchers.size === 0) onEmpty();
          };
        },
        take: () => (watcher?.isReady ? source.take() : 'wait'),
      };
    },
    receive(change, sender) {
      producer = sender;
      if (change.type === 'position') receivePosition(change);
      else if (change.type === 'deltas') receiveDeltas(change);
      else refusal = change.refusal;
    },
    refresh,
    startEnded() {
      const { state, sequence } = streamed.fromOutput(generation.output);
      jumpTo(state, sequence);
      void endAs(generation);
    },
    repeat() {
      if (asked) refresh();
      askForWaiting();
    },
    // The next check repeats a failed one.
    checkRecord: () => checkRecord().catch(() => {}),
  };
}
