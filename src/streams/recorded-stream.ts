import { RecordsUnavailableError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { type Feed, follow, type TakeResult } from '../lib/follow.ts';
import { createPace } from '../lib/pace.ts';
import type { SaveTimes } from './save-times.ts';
import { Saver } from './saver.ts';
import type { ProgressEvent, StreamEvent, StreamLog, StreamShape, TextRun } from './shape.ts';

export interface RecordedStreamOptions<State, Delta> {
  readonly id: string;
  readonly shape: StreamShape<State, Delta>;
  readonly clock: Clock;
  /** When set, `onDetached` is called after this long without watchers. */
  readonly detachMs?: number | undefined;
  readonly onDetached?: () => void;
  /** Asked before `onDetached`. False: a watcher may be unheard, so the time begins again. @default true */
  readonly mayDetach?: (() => boolean) | undefined;
  readonly saves?: StreamSaves<State> | undefined;
  readonly log: StreamLog<State, Delta>;
  readonly onWatchersChanged: (change: 1 | -1) => void;
}

interface StreamSaves<State> {
  readonly times: SaveTimes;
  /** Called once a second while the stream changes, never after the commit of its end has begun. */
  save(state: State, sequence: number): Promise<void>;
}

/** How one watcher receives a stream. */
export interface FollowOptions {
  /** The last sequence that the watcher has. Without it, the first event is a snapshot. */
  readonly after?: number | undefined;
  /**
   * Minimum time between two events. Deltas coalesce meanwhile. The first event and the end never wait, nor do the deltas
   * before the end. @default 0
   */
  readonly minIntervalMs?: number | undefined;
}

/** The log of one stream: one producer appends, any number of watchers follow. */
export interface RecordedStream<State, Delta, End> {
  readonly id: string;
  readonly sequence: number;
  readonly state: State;
  readonly end: End | undefined;
  readonly watchers: number;
  /** Aborts when something other than the producer ends the stream. The producer then closes its source. */
  readonly signal: AbortSignal;
  /** Assigns the next sequence to each delta. Deltas of one call reach a watcher as one event. Ignored after the end. */
  append(deltas: readonly Delta[]): void;
  /** Appends the deltas of a run in one step. Returns false without a change if only `append` can. */
  appendRun(run: TextRun<Delta>): boolean;
  /** Jumps to a state of the producer. Watchers get what the log holds up to it, or a snapshot. Ignored after the end. */
  reset(state: State, sequence: number): void;
  /** Counts as a watcher and gets the deltas of every `append`. Returns the function that stops it. */
  listen(onAppended: (deltas: readonly Delta[]) => void): () => void;
  /** One delta with the effect of all after `sequence`. Undefined if the log no longer holds them. */
  since(sequence: number): Delta | undefined;
  /**
   * Ends the stream. The first end wins; a later call returns false. `commit` records the end before any watcher sees
   * it, and returns it. It may take as long as it needs: watchers wait for at most 30 seconds.
   */
  finish(commit: (state: State, sequence: number) => Promise<End>): Promise<boolean>;
  /** Like `finish`, for callers other than the producer: also aborts the signal immediately. */
  stop(reason: Error, commit: (state: State, sequence: number) => Promise<End>): Promise<boolean>;
  /**
   * Discards a stream without a record, and its timers. Its watchers get this end. Without one, they get nothing more. `ended`
   * rejects with the reason.
   */
  discard(end?: End, reason?: Error): void;
  /** Watchers that keep up receive the same event objects. */
  follow(options?: FollowOptions): Feed<StreamEvent<State, Delta, End>>;
  /** Resolves when the end is recorded. */
  readonly ended: Promise<End>;
  /** Like `ended`. @throws RecordsUnavailableError like a watcher that waits for the end */
  waitForEnd(): Promise<End>;
}

/** Longest wait of a watcher for the record of the end. It then gets a RecordsUnavailableError instead, and may come back. */
export const endWaitMs = 30_000;

interface Progress<State, End> {
  sequence: number;
  state: State;
  end: End | undefined;
  watchers: number;
}

export function createRecordedStream<State, Delta, End>(
  options: RecordedStreamOptions<State, Delta>,
): RecordedStream<State, Delta, End> {
  const { shape, clock, log } = options;
  const controller = new AbortController();
  const wakes = new Set<() => void>();
  const ended = Promise.withResolvers<End>();
  ended.promise.catch(() => {});
  /** Created for the first listener: most streams have none. */
  let listeners: Set<(deltas: readonly Delta[]) => void> | undefined;
  /** Cache for watchers that keep up: the deltas after this sequence, merged once for all of them. */
  let recent: { readonly after: number; readonly deltas: readonly Delta[] } | undefined;
  /** The last event, and the sequence that its receivers had before. */
  let shared: { readonly after: number | undefined; readonly event: ProgressEvent<State, Delta> } | undefined;
  let isEnding = false;
  let cancelDetach: (() => void) | undefined;
  let cancelDismissal: (() => void) | undefined;
  /** How often watchers that waited for the end were dismissed. */
  let dismissals = 0;
  let waiting: PromiseWithResolvers<never> | undefined;
  const { saves } = options;
  const saver =
    saves && new Saver({ times: saves.times, save: () => saves.save(stream.state, stream.sequence) });

  const isShared = (): boolean => wakes.size > 1;
  const wakeAll = (): void => {
    for (const wake of wakes) wake();
  };
  const startDetachTimer = (): void => {
    if (options.detachMs === undefined || isEnding || wakes.size > 0) return;
    cancelDetach = clock.after(options.detachMs, () => {
      if (options.mayDetach?.() ?? true) options.onDetached?.();
      else startDetachTimer();
    });
  };
  const open = (wake: () => void): (() => void) => {
    wakes.add(wake);
    stream.watchers = wakes.size;
    cancelDetach?.();
    cancelDetach = undefined;
    options.onWatchersChanged(1);
    return () => {
      wakes.delete(wake);
      stream.watchers = wakes.size;
      options.onWatchersChanged(-1);
      startDetachTimer();
    };
  };
  const onAppended = (deltas: readonly Delta[], count: number): void => {
    recent = { after: stream.sequence, deltas };
    stream.sequence += count;
    saver?.changed();
    wakeAll();
  };
  const since = (after: number): Delta | undefined => {
    let deltas = recent?.after === after ? recent.deltas : undefined;
    if (!deltas) {
      const delta = log.since(after, stream.state);
      if (delta === undefined) return undefined;
      deltas = [delta];
    } else if (deltas.length > 1) deltas = [shape.merge(deltas)];
    // No other watcher needs what a single one has taken.
    recent = isShared() ? { after, deltas } : undefined;
    return deltas[0];
  };
  const eventAfter = (after: number | undefined): ProgressEvent<State, Delta> => {
    const { sequence, state } = stream;
    if (shared?.after === after && shared?.event.sequence === sequence) return shared.event;
    const delta = after === undefined || after > sequence ? undefined : since(after);
    const event: ProgressEvent<State, Delta> =
      after === undefined || delta === undefined
        ? { type: 'snapshot', sequence, state }
        : { type: 'delta', fromSequence: after + 1, sequence, delta, state };
    if (isShared()) shared = { after, event };
    return event;
  };
  const scheduleDismissal = (): void => {
    cancelDismissal = clock.after(endWaitMs, () => {
      dismissals += 1;
      waiting?.reject(createDismissal());
      waiting = undefined;
      wakeAll();
      scheduleDismissal();
    });
  };
  const finish = async (commit: (state: State, sequence: number) => Promise<End>): Promise<boolean> => {
    if (isEnding) return false;
    isEnding = true;
    cancelDetach?.();
    scheduleDismissal();
    try {
      // A save in flight must not overwrite the end.
      if (saver) await saver.stop();
      const end = await commit(stream.state, stream.sequence);
      stream.end = end;
      ended.resolve(end);
    } catch (error) {
      ended.reject(error);
      throw error;
    } finally {
      cancelDismissal?.();
      wakeAll();
    }
    return true;
  };
  const stream: RecordedStream<State, Delta, End> & Progress<State, End> = {
    id: options.id,
    // Plain members: getters of its own would make each of these objects a slow one.
    sequence: 0,
    state: shape.initial,
    end: undefined,
    watchers: 0,
    signal: controller.signal,
    ended: ended.promise,
    waitForEnd() {
      waiting ??= Promise.withResolvers();
      return Promise.race([ended.promise, waiting.promise]);
    },
    append(deltas) {
      if (isEnding || deltas.length === 0) return;
      for (const delta of deltas) {
        log.append(delta, stream.state);
        stream.state = shape.apply(stream.state, delta);
      }
      onAppended(deltas, deltas.length);
      if (listeners) for (const listener of listeners) listener(deltas);
    },
    appendRun(run) {
      if (isEnding || listeners?.size || !log.appendRun?.(run, stream.state)) return false;
      stream.state = shape.apply(stream.state, run.merged);
      onAppended([run.merged], run.texts.length);
      return true;
    },
    reset(toState, toSequence) {
      if (isEnding) return;
      stream.state = toState;
      stream.sequence = toSequence;
      recent = undefined;
      shared = undefined;
      wakeAll();
    },
    listen(listener) {
      const leave = open(() => {});
      listeners ??= new Set();
      listeners.add(listener);
      return () => {
        if (listeners?.delete(listener)) leave();
      };
    },
    since: (after) => (after > stream.sequence ? undefined : log.since(after, stream.state)),
    finish,
    stop(reason, commit) {
      const finished = finish(commit);
      controller.abort(reason);
      return finished;
    },
    discard(end, reason = new Error('the stream was discarded')) {
      isEnding = true;
      stream.end ??= end;
      cancelDetach?.();
      cancelDismissal?.();
      void saver?.stop();
      ended.reject(reason);
      wakeAll();
    },
    follow({ after, minIntervalMs = 0 } = {}) {
      let cursor = after;
      let isOver = false;
      let seenDismissals = dismissals;
      const pace = minIntervalMs > 0 ? createPace({ clock, minIntervalMs }) : undefined;
      let wakeWatcher = (): void => {};
      /** Whether it waits for more once it has all deltas. */
      const isOpen = (): boolean => stream.end === undefined && seenDismissals === dismissals;
      const isPaced = (): boolean => isOpen() && (pace?.mustWait(wakeWatcher) ?? false);
      const take = (): TakeResult<StreamEvent<State, Delta, End>> => {
        if (isOver) return 'end';
        const { sequence, state, end } = stream;
        if (cursor === sequence) {
          if (isOpen()) return 'wait';
          if (end === undefined) throw createDismissal();
          isOver = true;
          return { value: { type: 'end', sequence, end, state } };
        }
        if (isPaced()) return 'wait';
        pace?.sent();
        const from = cursor;
        cursor = sequence;
        return { value: eventAfter(from), isLatest: isOpen() };
      };
      return follow(
        {
          open(wake) {
            wakeWatcher = wake;
            seenDismissals = dismissals;
            // A watcher that must wait for its interval takes no turn.
            const leave = open(() => {
              if (!isPaced()) wake();
            });
            return () => {
              pace?.close();
              leave();
            };
          },
          take,
          isOwn: true,
        },
        log,
      );
    },
  };
  startDetachTimer();
  return stream;
}

function createDismissal(): RecordsUnavailableError {
  return new RecordsUnavailableError('The end of a stream cannot be recorded now');
}
