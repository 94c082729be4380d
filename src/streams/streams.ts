import type { Clock } from '../lib/clock.ts';
import { noLimits } from '../lib/fairness/fair-queue.ts';
import { createSharedWaits } from '../lib/fairness/shared-waits.ts';
import { sliceMs } from '../lib/fairness/slice.ts';
import { createInFlight } from '../lib/in-flight.ts';
import { createEndWatch, type EndWatch } from './end-watch.ts';
import { createSaveTimes, type SaveTimes } from './save-times.ts';
import { createRecordedStream, type RecordedStream } from './recorded-stream.ts';
import { maxLogLength, type StreamShape } from './shape.ts';
import type { Generation } from '../store/records.ts';

export interface StreamsOptions {
  readonly clock: Clock;
  /** How long a finished stream's log is kept for late watchers. After that, events come from the record. */
  readonly logMs: number;
  /** @default that of all streams. Tests set a smaller one. */
  readonly maxLogLength?: number;
  /** A save failed. It is retried a second later. */
  readonly onSaveFailed?: (error: unknown, id: string) => void;
  /** Returns the running streams that another instance has ended. @default none */
  readonly findEnded?: (ids: readonly string[]) => Promise<readonly string[]>;
  /**
   * On the monotonic clock, since when the watchers on other instances are heard. Undefined while they are not.
   * @default there are none
   */
  readonly heardSince?: (() => number | undefined) | undefined;
  /** `findEnded` failed. It is retried half a second later. */
  readonly onCheckFailed?: (error: unknown) => void;
}

interface OpenOptions<State> {
  /** The generation whose reply streams. */
  readonly generation?: Generation;
  readonly detachMs?: number | undefined;
  readonly onDetached?: () => void;
  /** Saves the progress of the stream. Called once a second while it changes. */
  readonly save?: (state: State, sequence: number) => Promise<void>;
  /** Another instance has recorded an end of this stream. */
  readonly onEndedElsewhere?: () => void;
  /** Ends the stream because its client canceled it on another instance. */
  readonly cancel?: () => Promise<unknown>;
  /** Ends the stream because the process is shutting down. */
  readonly interrupt?: () => Promise<unknown>;
}

interface RunningStream {
  readonly generation: Generation;
  /** Settles when its end is recorded. */
  readonly ended: Promise<unknown>;
}

interface Entry {
  readonly shape: unknown;
  readonly stream: RecordedStream<unknown, unknown, unknown>;
  cancelExpiry?: () => void;
}

interface Running extends Pick<OpenOptions<unknown>, 'generation' | 'cancel' | 'interrupt'> {
  readonly settled: Promise<unknown>;
  readonly discard: () => void;
}

/** The running and recently finished streams of this process. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Map<string, Running>();
  /** The next change of each create in flight: it opens its stream, or ends. */
  readonly #creates = new Map<string, PromiseWithResolvers<void>>();
  readonly #waits = createSharedWaits({ lengthMs: sliceMs.operations });
  readonly #endWatch: EndWatch;
  readonly #saveTimes: SaveTimes;
  readonly #watchers = createInFlight();

  constructor(options: StreamsOptions) {
    const { clock, findEnded = async () => [], onCheckFailed = () => {} } = options;
    this.#options = options;
    this.#endWatch = createEndWatch({ clock, findEnded, onFailed: onCheckFailed });
    this.#saveTimes = createSaveTimes(clock);
  }

  get running(): number {
    return this.#running.size;
  }

  get watchers(): number {
    return this.#watchers.count;
  }

  /** Call before the record of a create is written: watchers may come before `open`. Returns the function that reports its end. */
  announce(id: string): () => void {
    this.#creates.set(id, Promise.withResolvers());
    return () => {
      this.#creates.get(id)?.resolve();
      this.#creates.delete(id);
    };
  }

  /** Resolves when an announced create opens its stream, or ends: for one watcher after the other. Undefined if it has ended. */
  nextChange(id: string): Promise<void> | undefined {
    const create = this.#creates.get(id);
    return create && this.#waits([{ key: id, limits: noLimits }])(() => create.promise);
  }

  open<State, Delta, End>(
    shape: StreamShape<State, Delta>,
    id: string,
    options: OpenOptions<State> = {},
  ): RecordedStream<State, Delta, End> {
    const { clock, logMs, onSaveFailed } = this.#options;
    const { generation, save, cancel, interrupt, onEndedElsewhere, detachMs, onDetached } = options;
    const stream = createRecordedStream<State, Delta, End>({
      detachMs,
      mayDetach: () => this.#areWatchersHeard(detachMs),
      ...(onDetached && { onDetached }),
      saves: save && {
        times: this.#saveTimes,
        save: (state, sequence) =>
          save(state, sequence).catch((error: unknown) => {
            onSaveFailed?.(error, id);
            throw error;
          }),
      },
      id,
      shape,
      clock,
      log: shape.createLog(this.#options.maxLogLength ?? maxLogLength),
      onWatchersChanged: this.#watchers.add,
    });
    const entry: Entry = { shape, stream };
    this.#entries.set(id, entry);
    const create = this.#creates.get(id);
    if (create) {
      this.#creates.set(id, Promise.withResolvers());
      create.resolve();
    }
    const unwatch = onEndedElsewhere && this.#endWatch.add(id, onEndedElsewhere);
    const settled = stream.ended
      .catch(() => {})
      .then(() => {
        this.#running.delete(id);
        unwatch?.();
        if (this.#entries.get(id) === entry)
          entry.cancelExpiry = clock.after(logMs, () => this.#entries.delete(id));
      });
    this.#running.set(id, {
      settled,
      discard: stream.discard,
      ...(generation && { generation }),
      ...(cancel && { cancel }),
      ...(interrupt && { interrupt }),
    });
    return stream;
  }

  #areWatchersHeard(forMs = 0): boolean {
    const { clock, heardSince } = this.#options;
    const since = heardSince ? heardSince() : -Infinity;
    return since !== undefined && clock.elapsed() - since >= forMs;
  }

  /** Finds a stream by shape and id while its log is kept. */
  find<State, Delta, End>(
    shape: StreamShape<State, Delta>,
    id: string,
  ): RecordedStream<State, Delta, End> | undefined {
    const entry = this.#entries.get(id);
    // `open` stored the stream with its shape, so an equal shape proves the stream's types.
    return entry?.shape === shape ? (entry.stream as RecordedStream<State, Delta, End>) : undefined;
  }

  /** Finds a stream of any shape. Its deltas and states are JSON. */
  findAny(id: string): RecordedStream<unknown, unknown, unknown> | undefined {
    return this.#entries.get(id)?.stream;
  }

  /** The generation of an owner whose stream runs here, as in its record. Needs no records. */
  findRunning(owner: string, id: string): RunningStream | undefined {
    const { generation, settled } = this.#running.get(id) ?? {};
    if (!settled || generation?.owner !== owner) return undefined;
    // Neither is recorded before the end: nobody needs to read them.
    const contents = { output: undefined, raw: undefined };
    return { generation: { ...contents, ...generation, isVisible: true }, ended: settled };
  }

  /** Another instance reports a change of this generation: checks soon whether a running stream has ended. */
  checkEnded(id: string): void {
    this.#endWatch.checkNow(id);
  }

  /** A client of another instance cancels this stream, if it runs here. */
  cancel(id: string): void {
    // The commit retries by itself, and the canceling instance records the end if it gets no answer.
    void this.#running
      .get(id)
      ?.cancel?.()
      .catch(() => {});
  }

  /** Discards and removes a stream whose create was refused. Its watchers, who may know its id from a conflict, get this end. */
  drop<End>(
    stream: { readonly id: string; discard(end: End, refusal: Error): void },
    { end, refusal }: { readonly end: End; readonly refusal: Error },
  ): void {
    stream.discard(end, refusal);
    this.#entries.delete(stream.id);
    this.#running.delete(stream.id);
  }

  /** Removes the log of a finished stream before it expires. Current watchers still receive the end. */
  forget(id: string): void {
    if (this.#running.has(id)) return;
    this.#entries.get(id)?.cancelExpiry?.();
    this.#entries.delete(id);
  }

  /** Resolves when no stream runs and all watchers have received the end. */
  async waitUntilDrained(): Promise<void> {
    while (this.#running.size > 0)
      await Promise.all([...this.#running.values()].map(({ settled }) => settled));
    await this.#watchers.waitUntilIdle();
  }

  /** Ends all running streams because the process is shutting down. */
  async interruptAll(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(async ({ interrupt }) => interrupt?.()));
  }

  close(): void {
    for (const entry of this.#entries.values()) entry.cancelExpiry?.();
    for (const { discard } of this.#running.values()) discard();
    this.#entries.clear();
    this.#running.clear();
    this.#endWatch.close();
  }
}
