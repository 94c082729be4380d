import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { atTime } from '../../lib/at-time.ts';
import type { Clock } from '../../lib/clock.ts';
import { terminateLater } from './socket-moves.ts';

/**
 * Closes a WebSocket when a token that it uses expires. Stock clients reconnect with fresh `connectionParams`. A class, because
 * every socket holds one.
 */
export class SocketExpiry {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  #expiresAt = Infinity;
  #cancel: (() => void) | undefined;

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  /** The socket uses a token that expires at this time. Undefined for callers without a token. */
  limit(expiresAt: number | undefined): void {
    if (expiresAt === undefined || expiresAt >= this.#expiresAt) return;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#expiresAt = expiresAt;
    this.#cancel?.();
    this.#cancel = atTime(this.#clock, expiresAt, () => this.#expire());
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #expire(): void {
    this.#socket.close(CloseCode.Forbidden, 'The token has expired');
    terminateLater(this.#socket, this.#clock);
  }
}
