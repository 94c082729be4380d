import type { Exchange } from '../../bus/exchange.ts';
import type { Clock } from '../../lib/clock.ts';
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

/** Sends the streams of this instance to the instances that follow them. */
export interface Publisher {
  close(): void;
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

export function createPublisher({ streams, exchange, clock }: PublisherOptions): Publisher {
  const published = new Map<string, Published>();
  let dirty = new Set<Published>();
  let cancelFlush: (() => void) | undefined;
  let cancelExpiry: (() => void) | undefined;

  const sendTo = (readers: Iterable<string>, change: StreamChange): void => {
    const text = JSON.stringify(change);
    for (const reader of readers) exchange.send(topics.changes, text, reader);
  };
  const flush = ({ stream, readers, pending }: Published): void => {
    if (pending.length === 0) return;
    const from = stream.sequence - pending.length + 1;
    sendTo(readers.keys(), { type: 'deltas', id: stream.id, from, deltas: pending });
  };
  const flushOne = (entry: Published): void => {
    flush(entry);
    entry.pending = [];
    dirty.delete(entry);
  };
  const flushDirty = (): void => {
    cancelFlush = undefined;
    const entries = dirty;
    dirty = new Set();
    for (const entry of entries) flushOne(entry);
  };
  const listen = (entry: Published): void => {
    entry.stopListening ??= entry.stream.listen((deltas) => {
      // A large read may hold more deltas than a call takes arguments.
      for (const delta of deltas) entry.pending.push(delta);
      dirty.add(entry);
      cancelFlush ??= clock.after(batchMs, flushDirty);
    });
  };
  const removeReader = (entry: Published, reader: string): void => {
    entry.readers.delete(reader);
    if (entry.readers.size > 0) return;
    published.delete(entry.stream.id);
    dirty.delete(entry);
    entry.pending = [];
    entry.stopListening?.();
    entry.stopListening = undefined;
  };
  const end = (entry: Published): void => {
    flushOne(entry);
    const { id, sequence } = entry.stream;
    sendTo(entry.readers.keys(), { type: 'end', id, sequence });
    for (const reader of entry.readers.keys()) removeReader(entry, reader);
  };
  const publish = (stream: AnyStream): Published => {
    const entry: Published = { stream, readers: new Map(), pending: [], stopListening: undefined };
    published.set(stream.id, entry);
    const endPublished = (): void => {
      if (published.get(stream.id) === entry) end(entry);
    };
    stream.ended.then(endPublished, endPublished);
    return entry;
  };
  const answer = ({ id, token, after, sequence: known }: FollowRequest, reader: string): void => {
    const stream = streams.findAny(id);
    if (!stream) return;
    const entry = published.get(id) ?? publish(stream);
    const isNew = !entry.readers.has(reader);
    // The others get the pending deltas first. The answer includes them.
    flushOne(entry);
    entry.readers.set(reader, clock.elapsed());
    listen(entry);
    scheduleExpiry();
    const { sequence, state } = stream;
    const delta = after !== undefined && after < sequence ? stream.since(after) : undefined;
    sendTo([reader], {
      type: 'position',
      id,
      token,
      sequence,
      ...((isNew || known === undefined) && known !== sequence && { state }),
      ...(after !== undefined && delta !== undefined && { missed: { after, delta } }),
    });
  };
  const expire = (): void => {
    cancelExpiry = undefined;
    // While the database is unavailable, no reader can be heard.
    const { connectedAt } = exchange;
    const heardAfter = clock.elapsed() - expiryMs;
    if (connectedAt !== undefined && connectedAt < heardAfter) {
      for (const entry of published.values())
        for (const [reader, heardAt] of entry.readers) if (heardAt < heardAfter) removeReader(entry, reader);
    }
    scheduleExpiry();
  };
  const scheduleExpiry = (): void => {
    if (published.size > 0) cancelExpiry ??= clock.after(keepAliveMs, expire);
  };
  const keep = (ids: readonly string[], reader: string): void => {
    for (const id of ids) {
      const readers = published.get(id)?.readers;
      if (readers?.has(reader)) readers.set(reader, clock.elapsed());
      // Its request was lost, or it was considered gone.
      else answer({ id, token: 0 }, reader);
    }
  };

  const leave = (ids: readonly string[], reader: string): void => {
    for (const id of ids) {
      const entry = published.get(id);
      if (entry) removeReader(entry, reader);
    }
  };

  /** Messages may be lost: readers that miss something ask for it. */
  const announce = (): void => {
    for (const { stream, readers } of published.values())
      sendTo(readers.keys(), { type: 'position', id: stream.id, token: 0, sequence: stream.sequence });
  };

  const stops = [
    exchange.onReconnected(announce),
    listenTo(exchange, topics.follow, followRequest, answer),
    listenTo(exchange, topics.keep, streamIds, keep),
    listenTo(exchange, topics.leave, streamIds, leave),
    listenTo(exchange, topics.cancel, streamIds, (ids) => ids.forEach(streams.cancel)),
  ];
  return {
    close() {
      for (const stop of stops) stop();
      cancelFlush?.();
      cancelExpiry?.();
      published.clear();
    },
  };
}
