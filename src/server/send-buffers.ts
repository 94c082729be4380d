import type { Socket } from 'node:net';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/clock.ts';
import { countFlushedBytes } from './flushed-bytes.ts';

export interface SendBuffersOptions {
  /** Limit for the sum of all send buffers. */
  readonly maxBytes: number;
  /** A client whose socket makes no progress for this long, with data buffered, is disconnected. */
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A WebSocket or an HTTP reply, as seen by the send-buffer accounting. */
export interface BufferedConnection {
  /** Logged when the client is disconnected. */
  readonly facts: Readonly<Record<string, unknown>>;
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

/** Rough capacity of the kernel and network buffers between this process and a client. */
const maxInFlightBytes = 4_194_304;
/** How many stall timeouts a client has to receive that many bytes. */
const inFlightTimeouts = 3;

/** Extra time, on top of the stall timeout, that a client gets to receive bytes already flushed to the kernel. */
export function inFlightAllowanceMs(flushedBytes: number, stallTimeoutMs: number): number {
  return (Math.min(flushedBytes, maxInFlightBytes) / maxInFlightBytes) * inFlightTimeouts * stallTimeoutMs;
}

/** A connection is not evicted as stuck within this time after its backlog begins. */
const stuckGraceMs = 1000;
/** The kernel fills its own buffers within this time after a backlog begins. Later progress means that the client reads. */
const kernelFillMs = 300;

interface Entry {
  readonly connection: BufferedConnection;
  bytes: number;
  /** Flushed bytes at the last check. */
  flushedBytes: number;
  lastProgressAt: number;
  backloggedSince: number;
  /** Until this time the client may still be receiving bytes that were flushed. */
  inFlightUntil: number;
  isClosed: boolean;
}

/** Number of checks per stall timeout, while any connection is backlogged. */
const checksPerTimeout = 24;
const maxCheckIntervalMs = 250;

/**
 * Limits the memory that slow clients use. Above `maxBytes`, connections are disconnected in this order until the total
 * fits: stuck ones (no progress since their backlog began), then the longest without progress, then the largest buffer.
 * Stock clients reconnect and recover from a snapshot. If one connection remains with a single buffered message, it is kept
 * even above the limit: otherwise that operation could never succeed.
 */
export function createSendBuffers({ maxBytes, stallTimeoutMs, clock, log }: SendBuffersOptions): SendBuffers {
  const backlogged = new Set<Entry>();
  let bytes = 0;
  let cancelTimer: (() => void) | undefined;

  const remove = (entry: Entry): void => {
    bytes -= entry.bytes;
    entry.bytes = 0;
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
    const flushedBytes = countFlushedBytes(entry.connection.socket);
    const newBytes = flushedBytes - entry.flushedBytes;
    if (newBytes <= 0) return;
    const now = clock.elapsed();
    entry.flushedBytes = flushedBytes;
    entry.lastProgressAt = now;
    const inFlightUntil = Math.max(entry.inFlightUntil, now) + inFlightAllowanceMs(newBytes, stallTimeoutMs);
    entry.inFlightUntil = Math.min(
      inFlightUntil,
      now + inFlightAllowanceMs(maxInFlightBytes, stallTimeoutMs),
    );
  };
  const isStuck = ({ lastProgressAt, backloggedSince }: Entry): boolean =>
    lastProgressAt - backloggedSince < kernelFillMs && clock.elapsed() - backloggedSince >= stuckGraceMs;
  const disconnect = (entry: Entry, line: string): void => {
    const { connection, lastProgressAt } = entry;
    const facts = {
      bufferedBytes: entry.bytes,
      totalBufferedBytes: bytes,
      stalledMs: clock.elapsed() - lastProgressAt,
    };
    log.warn({ ...connection.facts, ...facts }, line);
    close(entry);
    connection.destroy();
  };
  const evict = (): void => {
    for (const entry of backlogged) checkProgress(entry);
    const worstFirst = [...backlogged].sort(
      (a, b) =>
        Number(isStuck(b)) - Number(isStuck(a)) || a.lastProgressAt - b.lastProgressAt || b.bytes - a.bytes,
    );
    for (const entry of worstFirst) {
      if (bytes <= maxBytes || (backlogged.size === 1 && entry.connection.bufferedMessages <= 1)) return;
      disconnect(entry, 'disconnected a slow client: the send buffers exceed MAX_UNSENT_BYTES');
    }
  };
  const checkAll = (): void => {
    cancelTimer = undefined;
    for (const entry of backlogged) {
      checkProgress(entry);
      const since = Math.max(entry.lastProgressAt, entry.inFlightUntil);
      if (!entry.isClosed && clock.elapsed() - since >= stallTimeoutMs)
        disconnect(entry, 'disconnected a stalled client');
    }
    schedule();
  };
  // One timer serves all connections. It runs only while one is backlogged.
  const schedule = (): void => {
    if (backlogged.size > 0)
      cancelTimer ??= clock.after(Math.min(stallTimeoutMs / checksPerTimeout, maxCheckIntervalMs), checkAll);
  };

  return {
    get bytes() {
      return bytes;
    },
    open(connection) {
      const entry: Entry = {
        connection,
        bytes: 0,
        flushedBytes: countFlushedBytes(connection.socket),
        lastProgressAt: 0,
        backloggedSince: 0,
        inFlightUntil: 0,
        isClosed: false,
      };
      return {
        get isBacklogged() {
          return entry.bytes > 0;
        },
        update() {
          const { bufferedBytes } = connection;
          if (bufferedBytes <= highWaterMarkBytes) {
            if (entry.bytes > 0) remove(entry);
            return;
          }
          if (entry.isClosed) return;
          if (entry.bytes === 0) {
            backlogged.add(entry);
            entry.lastProgressAt = clock.elapsed();
            checkProgress(entry);
            entry.backloggedSince = clock.elapsed();
            schedule();
          }
          bytes += bufferedBytes - entry.bytes;
          entry.bytes = bufferedBytes;
          if (bytes > maxBytes) evict();
        },
        close: () => close(entry),
      };
    },
  };
}
