import type { Socket } from 'node:net';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/clock.ts';
import { countFlushedBytes } from './flushed-bytes.ts';
import { createSendProgress, type SendProgress } from './send-progress.ts';

export interface SendBuffersOptions {
  /** Limit for the sum of all send buffers. */
  readonly maxBytes: number;
  /** Limit for the sum of the send buffers of one group. */
  readonly maxGroupBytes: number;
  /** A client whose socket makes no progress for this long, with data buffered, is disconnected. */
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** The client of a connection. */
export interface BufferedClient {
  /** The owner or the network address that the buffer counts for. */
  readonly group: string;
  readonly owner: string | undefined;
  readonly address: string;
}

/** A WebSocket or an HTTP reply, as seen by the send-buffer accounting. */
export interface BufferedConnection {
  /** Logged when the client is disconnected. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Of its client. Read when a backlog begins. */
  readonly group: string;
  readonly socket: Socket;
  /** Bytes sent but not yet flushed to the kernel. */
  readonly bufferedBytes: number;
  /** Number of messages that those bytes belong to. */
  readonly bufferedMessages: number;
  /** Closes the connection immediately and drops its buffer. */
  destroy(): void;
}

/** Accounting handle of one connection. */
export interface SendBuffer {
  /** Whether the buffer exceeds the high-water mark. */
  readonly isBacklogged: boolean;
  /** Call after every send and after every drain. */
  update(): void;
  close(): void;
}

/** Send buffers of all connections of the process, over HTTP and WebSocket. */
export interface SendBuffers {
  /** Total bytes of the backlogged connections. */
  readonly bytes: number;
  open(connection: BufferedConnection): SendBuffer;
}

/** High-water mark of a connection. Smaller buffers are not counted. */
export const highWaterMarkBytes = 65_536;

/** Longer strings are encoded before they are sent. Node reserves three bytes a character to buffer a string. */
export const maxStringLength = 16_384;

/** The backlogged connections of one owner or network address. */
interface Group {
  readonly key: string;
  readonly entries: Set<Connection>;
  bytes: number;
}

/** A limit for the sum of the buffers of a group of connections. */
interface Limit {
  readonly setting: string;
  readonly maxBytes: number;
  readonly entries: ReadonlySet<Connection>;
  isExceeded(): boolean;
}

/** For the log line of a disconnected client. */
interface ExceededLimit {
  /** The setting. */
  readonly limit: string;
  readonly limitBytes?: number;
  readonly limitMs?: number;
}

/** Number of checks per stall timeout, while any connection is backlogged. */
const checksPerTimeout = 24;
const maxCheckIntervalMs = 250;

export function createSendBuffers(options: SendBuffersOptions): SendBuffers {
  return new Buffers(options);
}

/**
 * Limits the memory that slow clients use. Above `maxGroupBytes`, connections of that group are disconnected in this order
 * until its sum fits: stuck ones (no progress since their backlog began), then the longest without progress, then the
 * largest buffer. A group therefore loses its own connections before it affects others. Above `maxBytes`, the same order
 * applies to all connections, after those of groups above their limit. Stock clients reconnect and recover from a snapshot.
 * If one connection remains with a single buffered message, it is kept even above the limit of the group:
 * otherwise that operation could never succeed.
 */
class Buffers implements SendBuffers {
  readonly options: SendBuffersOptions;
  readonly #backlogged = new Set<Connection>();
  readonly #groups = new Map<string, Group>();
  #bytes = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: SendBuffersOptions) {
    this.options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  open(connection: BufferedConnection): SendBuffer {
    return new Connection(this, connection);
  }

  /** A backlog begins. */
  join(entry: Connection): void {
    const key = entry.connection.group;
    const group = this.#groups.get(key) ?? { key, entries: new Set(), bytes: 0 };
    this.#groups.set(key, group);
    group.entries.add(entry);
    entry.group = group;
    this.#backlogged.add(entry);
    entry.progress.beginBacklog();
    this.#schedule();
  }

  setBytes(entry: Connection, bufferedBytes: number): void {
    const difference = bufferedBytes - entry.bytes;
    entry.bytes = bufferedBytes;
    this.#bytes += difference;
    if (entry.group) entry.group.bytes += difference;
  }

  remove(entry: Connection): void {
    this.setBytes(entry, 0);
    entry.group?.entries.delete(entry);
    if (entry.group?.entries.size === 0) this.#groups.delete(entry.group.key);
    entry.group = undefined;
    this.#backlogged.delete(entry);
    if (this.#backlogged.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  evict(group: Group): void {
    const { maxBytes, maxGroupBytes } = this.options;
    this.#evictWorst({
      setting: 'MAX_UNSENT_BYTES_PER_OWNER',
      maxBytes: maxGroupBytes,
      entries: group.entries,
      isExceeded: () => this.#isOver(group),
    });
    this.#evictWorst({
      setting: 'MAX_UNSENT_BYTES',
      maxBytes,
      entries: this.#backlogged,
      isExceeded: () => this.#bytes > maxBytes,
    });
  }

  #evictWorst({ setting, maxBytes: limitBytes, entries, isExceeded }: Limit): void {
    if (!isExceeded()) return;
    for (const entry of entries) entry.checkProgress();
    for (const entry of [...entries].sort((a, b) => this.#compare(a, b))) {
      if (!isExceeded() || (entries.size === 1 && entry.connection.bufferedMessages <= 1)) return;
      const line = `disconnected a slow client: the send buffers exceed ${setting}`;
      this.#disconnect(entry, line, { limit: setting, limitBytes });
    }
  }

  #isOver(group: Group | undefined): boolean {
    return group !== undefined && group.bytes > this.options.maxGroupBytes;
  }

  /** The worst first. */
  #compare(a: Connection, b: Connection): number {
    return (
      Number(this.#isOver(b.group)) - Number(this.#isOver(a.group)) ||
      Number(b.progress.isStuck) - Number(a.progress.isStuck) ||
      a.progress.lastProgressAt - b.progress.lastProgressAt ||
      b.bytes - a.bytes
    );
  }

  #disconnect(entry: Connection, line: string, limit: ExceededLimit): void {
    const { connection, progress } = entry;
    const { clock, log } = this.options;
    const facts = {
      bufferedBytes: entry.bytes,
      totalBufferedBytes: this.#bytes,
      stalledMs: Math.round(clock.elapsed() - progress.lastProgressAt),
    };
    log.warn({ ...connection.facts, ...facts, ...limit }, line);
    entry.close();
    connection.destroy();
  }

  /** One timer serves all connections. It runs only while one is backlogged. */
  #schedule(): void {
    const { clock, stallTimeoutMs } = this.options;
    if (this.#backlogged.size === 0) return;
    const intervalMs = Math.min(stallTimeoutMs / checksPerTimeout, maxCheckIntervalMs);
    this.#cancelTimer ??= clock.after(intervalMs, () => this.#checkAll());
  }

  #checkAll(): void {
    const { stallTimeoutMs: limitMs } = this.options;
    this.#cancelTimer = undefined;
    for (const entry of this.#backlogged) {
      entry.checkProgress();
      if (!entry.isClosed && entry.progress.isStalled)
        this.#disconnect(entry, 'disconnected a stalled client', {
          limit: 'WEBSOCKET_PING_SECONDS',
          limitMs,
        });
    }
    this.#schedule();
  }
}

/** A class: objects with getters of their own take more memory. */
class Connection implements SendBuffer {
  readonly connection: BufferedConnection;
  readonly #buffers: Buffers;
  readonly #flushedBytes: number;
  #progress: SendProgress | undefined;
  /** Set while the connection is backlogged. */
  group: Group | undefined;
  bytes = 0;
  isClosed = false;

  constructor(buffers: Buffers, connection: BufferedConnection) {
    this.#buffers = buffers;
    this.connection = connection;
    this.#flushedBytes = countFlushedBytes(connection.socket);
  }

  /** Created when the first backlog begins. */
  get progress(): SendProgress {
    this.#progress ??= createSendProgress(this.connection.socket, {
      ...this.#buffers.options,
      flushedBytes: this.#flushedBytes,
    });
    return this.#progress;
  }

  get isBacklogged(): boolean {
    return this.bytes > 0;
  }

  update(): void {
    const { bufferedBytes } = this.connection;
    if (bufferedBytes <= highWaterMarkBytes) {
      if (this.bytes > 0) this.#buffers.remove(this);
      return;
    }
    if (this.isClosed) return;
    if (this.bytes === 0) this.#buffers.join(this);
    this.#buffers.setBytes(this, bufferedBytes);
    if (this.group) this.#buffers.evict(this.group);
  }

  checkProgress(): void {
    // A reply queued behind others on its connection gets no 'close' event when the socket is destroyed.
    if (this.connection.socket.destroyed) this.close();
    this.progress.check();
  }

  close(): void {
    this.isClosed = true;
    this.#buffers.remove(this);
  }
}
