import type { Exchange } from '../../bus/exchange.ts';
import { ExpectedError } from '../../errors.ts';
import { toFailure } from '../../generations/failure.ts';
import type { Clock } from '../../lib/clock.ts';
import { stringifyJson } from '../../lib/json.ts';
import type { RecordedStream } from '../recorded-stream.ts';
import type { Streams } from '../streams.ts';
import {
  type FollowRequest,
  followRequest,
  listenTo,
  streamIds,
  type StreamChange,
  topics,
} from './messages.ts';

export interface PublisherOptions {
  readonly streams: Pick<Streams, 'findAny' | 'cancel'>;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

type AnyStream = RecordedStream<unknown, unknown, unknown>;

interface Published {
  readonly stream: AnyStream;
  /** The readers, with the time of their last message on the monotonic clock. */
  readonly readers: Map<string, number>;
  /** Deltas that were not sent yet. */
  pending: unknown[];
  /** Counts the readers as one watcher while there are any. */
  stopListening: (() => void) | undefined;
}

/** Deltas of this time are sent together. */
const batchMs = 20;
/** How often a reader says that it still follows. */
export const keepAliveMs = 5000;
/** A reader that says nothing for this long is gone. */
const expiryMs = 3 * keepAliveMs;
/** A longer answer may need more than a second, after which the reader repeats its question. */
const largeLength = 1_000_000;
/** Over the slowest link, and at the other end. */
const largeCharactersPerMs = 1000;

/** Sends the streams of this instance to the instances that follow them. */
export class Publisher {
  readonly #streams: PublisherOptions['streams'];
  readonly #exchange: Exchange;
  readonly #clock: Clock;
  readonly #published = new Map<string, Published>();
  /** Questions whose large answer is on its way, with the time when it must have arrived. */
  readonly #answered = new Map<string, number>();
  #dirty = new Set<Published>();
  #cancelFlush: (() => void) | undefined;
  #cancelExpiry: (() => void) | undefined;
  readonly #stops: readonly (() => void)[];

  constructor({ streams, exchange, clock }: PublisherOptions) {
    this.#streams = streams;
    this.#exchange = exchange;
    this.#clock = clock;
    this.#stops = [
      exchange.onReconnected(() => this.#announce()),
      listenTo(exchange, topics.follow, followRequest, (request, reader) => this.#answer(request, reader)),
      listenTo(exchange, topics.keep, streamIds, (ids, reader) => this.#keep(ids, reader)),
      listenTo(exchange, topics.leave, streamIds, (ids, reader) => this.#leave(ids, reader)),
      listenTo(exchange, topics.cancel, streamIds, (ids) => ids.forEach((id) => streams.cancel(id))),
    ];
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#cancelFlush?.();
    this.#cancelExpiry?.();
    this.#published.clear();
    this.#answered.clear();
  }

  #answer({ id, token, after, sequence: known }: FollowRequest, reader: string): void {
    const stream = this.#streams.findAny(id);
    if (!stream) return;
    const entry = this.#published.get(id) ?? this.#publish(stream);
    const isNew = !entry.readers.has(reader);
    // The others get the pending deltas first. The answer includes them.
    this.#flush(entry);
    entry.readers.set(reader, this.#clock.elapsed());
    this.#listen(entry);
    this.#scheduleExpiry();
    const question = `${reader} ${id} ${token}`;
    if (this.#isOnItsWay(question)) return;
    const { sequence, state } = stream;
    const delta = after !== undefined && after < sequence ? stream.since(after) : undefined;
    const length = this.#sendTo([reader], {
      type: 'position',
      id,
      token,
      sequence,
      ...((isNew || known === undefined) && known !== sequence && { state }),
      ...(after !== undefined && delta !== undefined && { missed: { after, delta } }),
    });
    if (length > largeLength)
      this.#answered.set(question, this.#clock.elapsed() + length / largeCharactersPerMs);
  }

  #isOnItsWay(question: string): boolean {
    const now = this.#clock.elapsed();
    for (const [answered, arrivesAt] of this.#answered) if (arrivesAt <= now) this.#answered.delete(answered);
    return this.#answered.has(question);
  }

  #keep(ids: readonly string[], reader: string): void {
    for (const id of ids) {
      const readers = this.#published.get(id)?.readers;
      if (readers?.has(reader)) readers.set(reader, this.#clock.elapsed());
      // Its request was lost, or it was considered gone.
      else this.#answer({ id, token: 0 }, reader);
    }
  }

  #leave(ids: readonly string[], reader: string): void {
    for (const id of ids) {
      const entry = this.#published.get(id);
      if (entry) this.#removeReader(entry, reader);
    }
  }

  /** Messages may be lost: readers that miss something ask for it. */
  #announce(): void {
    this.#answered.clear();
    for (const { stream, readers } of this.#published.values())
      this.#sendTo(readers.keys(), { type: 'position', id: stream.id, token: 0, sequence: stream.sequence });
  }

  #publish(stream: AnyStream): Published {
    const entry: Published = { stream, readers: new Map(), pending: [], stopListening: undefined };
    this.#published.set(stream.id, entry);
    const end = (reason?: unknown): void => {
      if (this.#published.get(stream.id) === entry) this.#end(entry, reason);
    };
    stream.ended.then(() => end(), end);
    return entry;
  }

  #listen(entry: Published): void {
    entry.stopListening ??= entry.stream.listen((deltas) => {
      // A large read may hold more deltas than a call takes arguments.
      for (const delta of deltas) entry.pending.push(delta);
      this.#dirty.add(entry);
      this.#cancelFlush ??= this.#clock.after(batchMs, () => this.#flushDirty());
    });
  }

  #flushDirty(): void {
    this.#cancelFlush = undefined;
    const entries = this.#dirty;
    this.#dirty = new Set();
    for (const entry of entries) this.#flush(entry);
  }

  #flush(entry: Published): void {
    const { stream, readers, pending } = entry;
    if (pending.length > 0) {
      const from = stream.sequence - pending.length + 1;
      this.#sendTo(readers.keys(), { type: 'deltas', id: stream.id, from, deltas: pending });
    }
    entry.pending = [];
    this.#dirty.delete(entry);
  }

  /** `reason`: why it has no end. An expected error is the refusal of its create. */
  #end(entry: Published, reason: unknown): void {
    this.#flush(entry);
    const { id, sequence } = entry.stream;
    const refusal = reason instanceof ExpectedError ? { refusal: toFailure(reason) } : {};
    this.#sendTo(entry.readers.keys(), { type: 'end', id, sequence, ...refusal });
    for (const reader of entry.readers.keys()) this.#removeReader(entry, reader);
  }

  #removeReader(entry: Published, reader: string): void {
    entry.readers.delete(reader);
    if (entry.readers.size > 0) return;
    this.#published.delete(entry.stream.id);
    this.#dirty.delete(entry);
    entry.pending = [];
    entry.stopListening?.();
    entry.stopListening = undefined;
  }

  #scheduleExpiry(): void {
    if (this.#published.size > 0) this.#cancelExpiry ??= this.#clock.after(keepAliveMs, () => this.#expire());
  }

  #expire(): void {
    this.#cancelExpiry = undefined;
    // While the database is unavailable, no reader can be heard.
    const { connectedAt } = this.#exchange;
    const heardAfter = this.#clock.elapsed() - expiryMs;
    if (connectedAt !== undefined && connectedAt < heardAfter) {
      for (const entry of this.#published.values())
        for (const [reader, heardAt] of entry.readers)
          if (heardAt < heardAfter) this.#removeReader(entry, reader);
    }
    this.#scheduleExpiry();
  }

  /** Returns the length of the message. */
  #sendTo(readers: Iterable<string>, change: StreamChange): number {
    const text = stringifyJson(change);
    for (const reader of readers) this.#exchange.send(topics.changes, text, reader);
    return text.length;
  }
}
