import type { Socket } from 'node:net';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/clock.ts';
import { countFlushedBytes } from './flushed-bytes.ts';
import { createSendProgress, type SendProgress } from './send-progress.ts';

export interface SendBuffersOptions {
  /** Limit for the sum of all send buffers. */
  readonly maxBytes: number;
  /** Limit for the sum of the send buffers of one party. */
  readonly maxPartyBytes: number;
  /** A client whose socket makes no progress for this long, with data buffered, is disconnected. */
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** The client of a connection. */
export interface BufferedClient {
  /** The owner or the network address that the buffer counts for (`partyOf`). */
  readonly party: string;
  readonly owner: string | undefined;
  readonly address: string;
}

/** A WebSocket or an HTTP reply, as seen by the send-buffer accounting. */
export interface BufferedConnection {
  /** Logged when the client is disconnected. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Of its client. Read when a backlog begins. */
  readonly party: string;
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

interface Entry {
  readonly connection: BufferedConnection;
  /** Created when the first backlog begins. */
  readonly progress: SendProgress;
  /** Set while the connection is backlogged. */
  party: Party | undefined;
  bytes: number;
  isClosed: boolean;
}

/** The backlogged connections of one owner or network address. */
interface Party {
  readonly key: string;
  readonly entries: Set<Entry>;
  bytes: number;
}

/** A limit for the sum of the buffers of a group of connections. */
interface Limit {
  readonly setting: string;
  readonly maxBytes: number;
  readonly entries: ReadonlySet<Entry>;
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

/**
 * Limits the memory that slow clients use. Above `maxPartyBytes`, connections of that party are disconnected in this order
 * until its sum fits: stuck ones (no progress since their backlog began), then the longest without progress, then the
 * largest buffer. A party therefore loses its own connections before it affects others. Above `maxBytes`, the same order
 * applies to all connections, after those of parties above their limit. Stock clients reconnect and recover from a snapshot.
 * If one connection of a group remains with a single buffered message, it is kept even above the limit of the group:
 * otherwise that operation could never succeed.
 */
export function createSendBuffers(options: SendBuffersOptions): SendBuffers {
  const { maxBytes, maxPartyBytes, stallTimeoutMs, clock, log } = options;
  const backlogged = new Set<Entry>();
  const parties = new Map<string, Party>();
  let bytes = 0;
  let cancelTimer: (() => void) | undefined;

  const join = (entry: Entry): void => {
    const key = entry.connection.party;
    const party = parties.get(key) ?? { key, entries: new Set(), bytes: 0 };
    parties.set(key, party);
    party.entries.add(entry);
    entry.party = party;
    backlogged.add(entry);
  };
  const setBytes = (entry: Entry, bufferedBytes: number): void => {
    const difference = bufferedBytes - entry.bytes;
    entry.bytes = bufferedBytes;
    bytes += difference;
    if (entry.party) entry.party.bytes += difference;
  };
  const remove = (entry: Entry): void => {
    setBytes(entry, 0);
    entry.party?.entries.delete(entry);
    if (entry.party?.entries.size === 0) parties.delete(entry.party.key);
    entry.party = undefined;
    backlogged.delete(entry);
    if (backlogged.size > 0) return;
    cancelTimer?.();
    cancelTimer = undefined;
  };
  const close = (entry: Entry): void => {
    entry.isClosed = true;
    remove(entry);
  };
  const checkProgress = (entry: Entry): void => {
    // A reply queued behind others on its connection gets no 'close' event when the socket is destroyed.
    if (entry.connection.socket.destroyed) close(entry);
    entry.progress.check();
  };
  const disconnect = (entry: Entry, line: string, limit: ExceededLimit): void => {
    const { connection, progress } = entry;
    const facts = {
      bufferedBytes: entry.bytes,
      totalBufferedBytes: bytes,
      stalledMs: Math.round(clock.elapsed() - progress.lastProgressAt),
    };
    log.warn({ ...connection.facts, ...facts, ...limit }, line);
    close(entry);
    connection.destroy();
  };
  const evictWorst = ({ setting, maxBytes: limitBytes, entries, isExceeded }: Limit): void => {
    if (!isExceeded()) return;
    for (const entry of entries) checkProgress(entry);
    for (const entry of [...entries].sort(worstFirst)) {
      if (!isExceeded() || (entries.size === 1 && entry.connection.bufferedMessages <= 1)) return;
      const line = `disconnected a slow client: the send buffers exceed ${setting}`;
      disconnect(entry, line, { limit: setting, limitBytes });
    }
  };
  const isOver = (party: Party | undefined): boolean => party !== undefined && party.bytes > maxPartyBytes;
  const worstFirst = (a: Entry, b: Entry): number =>
    Number(isOver(b.party)) - Number(isOver(a.party)) ||
    Number(b.progress.isStuck) - Number(a.progress.isStuck) ||
    a.progress.lastProgressAt - b.progress.lastProgressAt ||
    b.bytes - a.bytes;
  const evict = (party: Party): void => {
    evictWorst({
      setting: 'MAX_UNSENT_BYTES_PER_OWNER',
      maxBytes: maxPartyBytes,
      entries: party.entries,
      isExceeded: () => isOver(party),
    });
    evictWorst({
      setting: 'MAX_UNSENT_BYTES',
      maxBytes,
      entries: backlogged,
      isExceeded: () => bytes > maxBytes,
    });
  };
  const checkAll = (): void => {
    cancelTimer = undefined;
    for (const entry of backlogged) {
      checkProgress(entry);
      if (!entry.isClosed && entry.progress.isStalled)
        disconnect(entry, 'disconnected a stalled client', {
          limit: 'WEBSOCKET_PING_SECONDS',
          limitMs: stallTimeoutMs,
        });
    }
    schedule();
  };
  // One timer serves all connections. It runs only while one is backlogged.
  const schedule = (): void => {
    if (backlogged.size > 0)
      cancelTimer ??= clock.after(Math.min(stallTimeoutMs / checksPerTimeout, maxCheckIntervalMs), checkAll);
  };

  /** A class: objects with getters of their own take more memory. */
  class Connection implements SendBuffer, Entry {
    readonly connection: BufferedConnection;
    readonly #flushedBytes: number;
    #progress: SendProgress | undefined;
    party: Party | undefined;
    bytes = 0;
    isClosed = false;

    constructor(connection: BufferedConnection) {
      this.connection = connection;
      this.#flushedBytes = countFlushedBytes(connection.socket);
    }

    get progress(): SendProgress {
      this.#progress ??= createSendProgress(this.connection.socket, {
        stallTimeoutMs,
        clock,
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
        if (this.bytes > 0) remove(this);
        return;
      }
      if (this.isClosed) return;
      if (this.bytes === 0) {
        join(this);
        this.progress.beginBacklog();
        schedule();
      }
      setBytes(this, bufferedBytes);
      if (this.party) evict(this.party);
    }

    close(): void {
      close(this);
    }
  }

  return {
    get bytes() {
      return bytes;
    },
    open: (connection) => new Connection(connection),
  };
}
