import type { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { Clock } from '../lib/clock.ts';
import type { SocketWriter } from './socket-writer.ts';
import { transitMs } from './unsent.ts';

export interface PingOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly writerOf: (socket: WebSocket) => Pick<SocketWriter, 'isBehind' | 'takenBytes'> | undefined;
}

/** All sockets pinged in one turn would hold up every stream of the process. */
const pingTurns = 24;

/** A ping that was not answered yet. */
interface Asked {
  readonly takenBytes: number;
  /** When it went out, as far as this side knows. */
  readonly at: number;
  /** What went out before it, and perhaps has not come yet. */
  readonly inTransitBytes: number;
  /** It waits here, behind what its client has not taken. */
  isWaiting: boolean;
}

/**
 * One timer asks all sockets, a share at each turn; one that has not answered by its next turn is gone. A socket keeps its
 * turn, so that it always has the whole interval to answer; and longer after much was sent to it, since a ping comes behind
 * that. While more waits here, its ping does too: then what it takes shows that it is there.
 */
export function pingAll(
  server: Pick<EventEmitter, 'on'>,
  { clock, intervalMs, writerOf }: PingOptions,
): () => void {
  const asked = new WeakMap<WebSocket, Asked>();
  /** How much each had been sent when it was asked what it has answered: so much has come. */
  const arrived = new WeakMap<WebSocket, number>();
  const turns = Array.from({ length: pingTurns }, () => new Set<WebSocket>());
  let connected = 0;
  server.on('connection', (socket: WebSocket) => {
    const turn = turns[connected % pingTurns];
    connected += 1;
    turn?.add(socket);
    socket.on('pong', () => {
      const answered = asked.get(socket);
      if (!answered) return;
      arrived.set(socket, answered.takenBytes);
      asked.delete(socket);
    });
    socket.once('close', () => turn?.delete(socket));
  });

  const ask = (socket: WebSocket): void => {
    const writer = writerOf(socket);
    const now = clock.now();
    const takenBytes = writer?.takenBytes ?? 0;
    const inTransitBytes = takenBytes - (arrived.get(socket) ?? 0);
    const open = asked.get(socket);
    const isBehind = writer?.isBehind === true;
    if (!open) {
      asked.set(socket, { takenBytes, at: now, inTransitBytes, isWaiting: isBehind });
      socket.ping();
    } else if (isBehind) {
      open.isWaiting = true;
    } else if (open.isWaiting) {
      asked.set(socket, { ...open, at: now, inTransitBytes, isWaiting: false });
      // Half an interval less than a turn takes, whatever the timer's mood.
    } else if (now - open.at >= intervalMs / 2 + transitMs(open.inTransitBytes, 2 * intervalMs)) {
      socket.terminate();
    }
  };
  let tick = 0;
  let cancel = (): void => {};
  const schedule = (): void => {
    cancel = clock.after(intervalMs / pingTurns, () => {
      for (const socket of turns[tick % pingTurns] ?? []) ask(socket);
      tick += 1;
      schedule();
    });
  };
  schedule();
  return () => cancel();
}
