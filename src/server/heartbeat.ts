import type { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { Clock } from '../lib/clock.ts';
import { inFlightAllowanceMs } from './send-progress.ts';
import type { SocketWriter } from './socket-writer.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly writerOf: (socket: WebSocket) => Pick<SocketWriter, 'isBacklogged' | 'flushedBytes'> | undefined;
}

/** Pings are spread over this many slots of the interval: pinging all sockets at once would delay every stream. */
const slotCount = 24;

/** A ping without its pong. */
interface PendingPing {
  readonly flushedBytes: number;
  /** When the ping left the process, as far as the process can see. */
  readonly sentAt: number;
  /** Bytes sent before the ping and perhaps not yet received. */
  readonly inFlightBytes: number;
  /** The ping is still in the send buffer, behind unread data. */
  isBuffered: boolean;
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
  const pendingPings = new WeakMap<WebSocket, PendingPing>();
  /** Flushed bytes at the time of the last answered ping: the client has received at least these. */
  const receivedBytes = new WeakMap<WebSocket, number>();
  const slots = Array.from({ length: slotCount }, () => new Set<WebSocket>());
  let connected = 0;
  server.on('connection', (socket: WebSocket) => {
    const slot = slots[connected % slotCount];
    connected += 1;
    slot?.add(socket);
    socket.on('pong', () => {
      const answered = pendingPings.get(socket);
      if (!answered) return;
      receivedBytes.set(socket, answered.flushedBytes);
      pendingPings.delete(socket);
    });
    socket.on('close', () => slot?.delete(socket));
  });

  const check = (socket: WebSocket): void => {
    const writer = writerOf(socket);
    const now = clock.elapsed();
    const flushedBytes = writer?.flushedBytes ?? 0;
    const inFlightBytes = flushedBytes - (receivedBytes.get(socket) ?? 0);
    const pending = pendingPings.get(socket);
    const isBacklogged = writer?.isBacklogged === true;
    if (!pending) {
      pendingPings.set(socket, { flushedBytes, sentAt: now, inFlightBytes, isBuffered: isBacklogged });
      socket.ping();
    } else if (isBacklogged) {
      pending.isBuffered = true;
    } else if (pending.isBuffered) {
      pendingPings.set(socket, { ...pending, sentAt: now, inFlightBytes, isBuffered: false });
    } else if (
      // Each slot is checked once per interval. Half an interval of tolerance absorbs timer drift.
      now - pending.sentAt >=
      intervalMs / 2 + inFlightAllowanceMs(pending.inFlightBytes, 2 * intervalMs)
    ) {
      socket.terminate();
    }
  };
  let tick = 0;
  let cancel = (): void => {};
  const schedule = (): void => {
    cancel = clock.after(intervalMs / slotCount, () => {
      for (const socket of slots[tick % slotCount] ?? []) check(socket);
      tick += 1;
      schedule();
    });
  };
  schedule();
  return () => cancel();
}
