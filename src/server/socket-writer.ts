import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { behindBytes, longTextLength, takenOf, type Unsent } from './unsent.ts';

/** What is sent to one WebSocket. */
export interface SocketWriter {
  /** Whether more waits than a client that reads leaves waiting. */
  readonly isBehind: boolean;
  /** How much of what was sent the system has taken. */
  readonly takenBytes: number;
  /**
   * To be asked before an event is rendered: undefined where it may be at once. Otherwise resolves when it may, to false
   * where the socket has closed instead. The next `send` ends the turn.
   */
  takeTurn(): Promise<boolean> | undefined;
  /** Resolves when the next event of its operation may be asked for: those of a slow reader merge meanwhile. */
  send(text: string): Promise<void>;
}

/** Beyond this a socket is not read from until its client has read: what it asks waits on its side, not here. */
const maxUnsentBytes = 4_194_304;

/** `socket` with the connection beneath it. */
export function createSocketWriter(
  socket: WebSocket,
  { connection, unsent }: { readonly connection: Socket; readonly unsent: Unsent },
): SocketWriter {
  let unsentMessages = 0;
  const account = unsent.open({
    facts: { transport: 'websocket' },
    socket: connection,
    get unsentBytes() {
      return socket.bufferedAmount;
    },
    get unsentMessages() {
      return unsentMessages;
    },
    // Stock clients reconnect after it, as after any connection that breaks.
    destroy: () => socket.terminate(),
  });
  /** Events of several operations: one is rendered and sent at a time, so that big ones do not wait beside each other. */
  const waiting: ((isOpen: boolean) => void)[] = [];
  let isTurnTaken = false;

  const giveTurn = (): void => {
    if (isTurnTaken || waiting.length === 0 || socket.bufferedAmount > behindBytes) return;
    isTurnTaken = true;
    waiting.shift()?.(true);
  };
  const afterWrite = (): void => {
    unsentMessages -= 1;
    account.update();
    if (socket.isPaused && socket.bufferedAmount <= maxUnsentBytes) socket.resume();
    giveTurn();
  };
  socket.once('close', () => {
    account.close();
    for (const end of waiting.splice(0)) end(false);
  });

  return {
    get isBehind() {
      return account.isBehind;
    },
    get takenBytes() {
      return takenOf(connection);
    },
    takeTurn() {
      if (socket.readyState === socket.CLOSED) return Promise.resolve(false);
      if (!isTurnTaken && waiting.length === 0 && socket.bufferedAmount <= behindBytes) {
        isTurnTaken = true;
        return undefined;
      }
      const turn = Promise.withResolvers<boolean>();
      waiting.push(turn.resolve);
      return turn.promise;
    },
    send(text) {
      isTurnTaken = false;
      // A failed write closes the socket, which ends its operations.
      if (socket.readyState !== socket.OPEN) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      unsentMessages += 1;
      if (text.length > longTextLength) {
        socket.send(Buffer.from(text), { binary: false }, afterWrite);
        // Who waits would hold the text as well: the operation's next event waits for its turn instead.
        resolve();
      } else {
        socket.send(text, () => {
          afterWrite();
          resolve();
        });
      }
      account.update();
      if (socket.bufferedAmount > maxUnsentBytes) socket.pause();
      giveTurn();
      return promise;
    },
  };
}
