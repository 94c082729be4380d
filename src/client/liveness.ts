import type { Client } from 'graphql-ws';

/** Longest wait for a sign of life, for networks that need longer than the deadline for one large message. */
const maxPatienceMs = 20_000;

export interface LivenessOptions {
  readonly deadlineMs: number;
  readonly terminate: () => void;
}

/** A browser reports a connection without a network as open for minutes, and closes it only after a handshake. */
export class Liveness {
  readonly #deadlineMs: number;
  readonly #terminate: () => void;
  #patienceMs: number;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #socket: WebSocket | undefined;

  constructor({ deadlineMs, terminate }: LivenessOptions) {
    this.#deadlineMs = deadlineMs;
    this.#terminate = terminate;
    this.#patienceMs = deadlineMs;
  }

  watch(client: Client): void {
    client.on('connected', (socket) => {
      this.stop();
      this.#socket = socket as WebSocket; // graphql-ws types it as unknown.
    });
    client.on('ping', (isReceived) => {
      if (!isReceived) this.expectLife();
    });
    // The answer to a ping can be behind large messages.
    client.on('message', () => {
      if (this.#deadline !== undefined) this.expectLife();
    });
    client.on('pong', (isReceived) => {
      if (!isReceived) return;
      this.stop();
      this.#patienceMs = this.#deadlineMs;
    });
    for (const event of ['closed', 'error'] as const)
      client.on(event, () => {
        this.stop();
        this.#socket = undefined;
      });
  }

  /** Terminates the connection unless something arrives in time. */
  expectLife(): void {
    this.#terminateAfter(this.#patienceMs, () => {
      this.#patienceMs = Math.max(this.#deadlineMs, Math.min(2 * this.#patienceMs, maxPatienceMs));
    });
  }

  /** Terminates a connection that does not open in time. Its messages are small: an attempt that fails makes no later one wait longer. */
  expectHandshake(): void {
    this.#terminateAfter(this.#deadlineMs);
  }

  #terminateAfter(milliseconds: number, onLate = (): void => {}): void {
    this.stop();
    this.#deadline = setTimeout(() => {
      this.#deadline = undefined;
      onLate();
      this.#terminate();
    }, milliseconds);
  }

  /** Sends a ping at once, unless an answer is due already. */
  check(): void {
    if (this.#socket?.readyState !== 1 || this.#deadline !== undefined) return;
    this.#socket.send('{"type":"ping"}');
    this.expectLife();
  }

  stop(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }
}
