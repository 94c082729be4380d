import type { WebSocket, WebSocketServer } from 'ws';
import type { SocketWriter } from './socket-writer.ts';
import { transitMs } from './unsent.ts';

export interface PingOptions {
  readonly intervalMs: number;
  readonly writerOf: (socket: WebSocket) => SocketWriter | undefined;
}

/** All sockets pinged in one turn would hold up every stream of the process. */
const pingTurns = 24;

/** A ping that was not answered yet. */
interface Asked {
  readonly takenBytes: number;
  /** When it went out, as far as this side knows. */
  at: number;
  /** What went out before it, and perhaps has not come yet. */
  inTransitBytes: number;
}

/**
 * One timer asks all sockets, a share at each turn; one that has not answered by its next turn is gone. A socket keeps its
 * turn, so that it always has the whole interval to answer; and longer after much was sent to it, since a ping comes behind
 * that. While more waits here, its ping does too: then what it takes shows that it is there.
 */
export function pingAll(server: WebSocketServer, { intervalMs, writerOf }: PingOptions): () => void {
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
      arrived.set(socket, asked.get(socket)?.takenBytes ?? 0);
      asked.delete(socket);
    });
    socket.once('close', () => turn?.delete(socket));
  });

  const ask = (socket: WebSocket): void => {
    const writer = writerOf(socket);
    const now = performance.now();
    const takenBytes = writer?.takenBytes ?? 0;
    const inTransitBytes = takenBytes - (arrived.get(socket) ?? 0);
    const open = asked.get(socket);
    if (!open) {
      asked.set(socket, { takenBytes, at: now, inTransitBytes });
      socket.ping();
    } else if (writer?.isBehind) {
      open.at = now;
      open.inTransitBytes = inTransitBytes;
      // Half an interval less than a turn takes, whatever the timer's mood.
    } else if (now - open.at >= intervalMs / 2 + transitMs(open.inTransitBytes, 2 * intervalMs)) {
      socket.terminate();
    }
  };
  let tick = 0;
  const timer = setInterval(() => {
    for (const socket of turns[tick % pingTurns] ?? []) ask(socket);
    tick += 1;
  }, intervalMs / pingTurns);
  timer.unref();
  return () => clearInterval(timer);
}
