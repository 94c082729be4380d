import type { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/clock.ts';
import { inFlightAllowanceMs, stallTimeoutOf } from '../sending/send-progress.ts';
import type { SocketWriter } from '../sending/socket-writer.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly writerOf: (socket: WebSocket) => HeartbeatWriter | undefined;
}

type HeartbeatWriter = Pick<SocketWriter, 'isBacklogged' | 'flushedBytes'>;

/** Pings are spread over this many slots of the interval: pinging all sockets at once would delay every stream. */
const slotCount = 24;

/** The heartbeat of one socket. A class: one stays for each socket, and a ping allocates nothing. */
class Heartbeat {
  readonly socket: WebSocket;
  writer: HeartbeatWriter | undefined;
  /** Flushed bytes at the time of the last answered ping: the client has received at least these. */
  receivedBytes = 0;
  /** The ping waits for its pong. The other members belong to this ping. */
  isPending = false;
  flushedBytes = 0;
  /** When the ping left the process, as far as the process can see. */
  sentAt = 0;
  /** Bytes sent before the ping and perhaps not yet received. */
  inFlightBytes = 0;
  /** The ping is still in the send buffer, behind unread data. */
  isBuffered = false;

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  onSent(now: number, flushedBytes: number): void {
    this.sentAt = now;
    this.inFlightBytes = flushedBytes - this.receivedBytes;
  }

  onPong(): void {
    if (this.isPending) this.receivedBytes = this.flushedBytes;
    this.isPending = false;
  }
}

/**
 * Pings every WebSocket once per interval from a single timer, and terminates sockets that miss a pong. Each socket keeps its
 * slot, so it has a full interval to answer. It gets extra time for data sent before the ping. While the ping itself is stuck
 * in the send buffer, `SendBuffers` decides whether the client makes progress.
 */
export function startHeartbeat(
  server: Pick<EventEmitter, 'on'>,
  { clock, intervalMs, writerOf }: HeartbeatOptions,
): () => void {
  const slots = Array.from({ length: slotCount }, () => new Set<Heartbeat>());
  let connected = 0;
  server.on('connection', (socket: WebSocket) => {
    const slot = slots[connected % slotCount];
    const heartbeat = new Heartbeat(socket);
    connected += 1;
    slot?.add(heartbeat);
    socket.on('pong', () => heartbeat.onPong());
    socket.on('close', () => slot?.delete(heartbeat));
  });

  const check = (heartbeat: Heartbeat, now: number): void => {
    const { socket } = heartbeat;
    // The transport creates the writer after this listener has run.
    const writer = (heartbeat.writer ??= writerOf(socket));
    const isBacklogged = writer?.isBacklogged === true;
    if (!heartbeat.isPending) {
      heartbeat.isPending = true;
      heartbeat.flushedBytes = writer?.flushedBytes ?? 0;
      heartbeat.isBuffered = isBacklogged;
      heartbeat.onSent(now, heartbeat.flushedBytes);
      socket.ping();
    } else if (isBacklogged) {
      heartbeat.isBuffered = true;
    } else if (heartbeat.isBuffered) {
      heartbeat.isBuffered = false;
      heartbeat.onSent(now, writer?.flushedBytes ?? 0);
    } else if (
      // Each slot is checked once per interval. Half an interval of tolerance absorbs timer drift.
      now - heartbeat.sentAt >=
      intervalMs / 2 + inFlightAllowanceMs(heartbeat.inFlightBytes, stallTimeoutOf(intervalMs))
    ) {
      socket.terminate();
    }
  };
  let tick = 0;
  let cancel = (): void => {};
  const schedule = (): void => {
    cancel = clock.after(intervalMs / slotCount, () => {
      const now = clock.elapsed();
      for (const heartbeat of slots[tick % slotCount] ?? []) check(heartbeat, now);
      tick += 1;
      schedule();
    });
  };
  schedule();
  return () => cancel();
}
