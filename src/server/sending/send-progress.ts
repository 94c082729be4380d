import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import { countFlushedBytes } from './flushed-bytes.ts';

/** Whether the client of one connection receives its data. */
export interface SendProgress {
  /** When the socket last flushed bytes. */
  readonly lastProgressAt: number;
  /** The client has read nothing since the backlog began. */
  readonly isStuck: boolean;
  /** The client has received nothing for the stall timeout. */
  readonly isStalled: boolean;
  beginBacklog(): void;
  check(): void;
}

/** Rough capacity of the kernel and network buffers between this process and a client. */
const maxInFlightBytes = 4_194_304;
/** How many stall timeouts a client has to receive that many bytes. */
const inFlightTimeouts = 3;

const maxStallTimeoutMs = 24_000;

/** A client that receives nothing for two heartbeat intervals is stalled. Longer intervals do not make it longer. */
export function stallTimeoutOf(heartbeatMs: number): number {
  return Math.min(2 * heartbeatMs, maxStallTimeoutMs);
}

/** Extra time, on top of the stall timeout, that a client gets to receive bytes already flushed to the kernel. */
export function inFlightAllowanceMs(flushedBytes: number, stallTimeoutMs: number): number {
  return (Math.min(flushedBytes, maxInFlightBytes) / maxInFlightBytes) * inFlightTimeouts * stallTimeoutMs;
}

/** A connection is not evicted as stuck within this time after its backlog begins. */
const stuckGraceMs = 1000;
/** The kernel fills its own buffers within this time after a backlog begins. Later progress means that the client reads. */
const kernelFillMs = 300;

export interface SendProgressOptions {
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  /** Bytes of the socket that were flushed when the connection opened. */
  readonly flushedBytes: number;
}

export function createSendProgress(
  socket: Socket,
  { stallTimeoutMs, clock, ...options }: SendProgressOptions,
): SendProgress {
  /** At the last check. */
  let { flushedBytes } = options;
  let lastProgressAt = 0;
  let backloggedSince = 0;
  /** Until this time the client may still be receiving bytes that were flushed. */
  let inFlightUntil = 0;

  const check = (): void => {
    const flushedNow = countFlushedBytes(socket);
    const newBytes = flushedNow - flushedBytes;
    if (newBytes <= 0) return;
    const now = clock.elapsed();
    flushedBytes = flushedNow;
    lastProgressAt = now;
    inFlightUntil = Math.min(
      Math.max(inFlightUntil, now) + inFlightAllowanceMs(newBytes, stallTimeoutMs),
      now + inFlightAllowanceMs(maxInFlightBytes, stallTimeoutMs),
    );
  };
  return {
    get lastProgressAt() {
      return lastProgressAt;
    },
    get isStuck() {
      return (
        lastProgressAt - backloggedSince < kernelFillMs && clock.elapsed() - backloggedSince >= stuckGraceMs
      );
    },
    get isStalled() {
      return clock.elapsed() - Math.max(lastProgressAt, inFlightUntil) >= stallTimeoutMs;
    },
    beginBacklog() {
      lastProgressAt = clock.elapsed();
      check();
      backloggedSince = clock.elapsed();
    },
    check,
  };
}
