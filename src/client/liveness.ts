import type { Client } from 'graphql-ws';

/** Longest wait for a sign of life, for networks that need longer than the deadline for one large message. */
const maxPatienceMs = 20_000;

export interface LivenessOptions {
  readonly deadlineMs: number;
  readonly terminate: () => void;
}

/** A browser reports a connection without a network as open for minutes, and closes it only after a handshake. */
export function createLiveness({ deadlineMs, terminate }: LivenessOptions) {
  let patienceMs = deadlineMs;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | undefined;
  const stop = (): void => {
    clearTimeout(deadline);
    deadline = undefined;
  };
  /** Terminates the connection unless something arrives in time. */
  const expectWithin = (milliseconds: number, nextPatienceMs: number): void => {
    stop();
    deadline = setTimeout(() => {
      deadline = undefined;
      patienceMs = nextPatienceMs;
      terminate();
    }, milliseconds);
  };
  const expectLife = (): void =>
    expectWithin(patienceMs, Math.max(deadlineMs, Math.min(2 * patienceMs, maxPatienceMs)));
  return {
    watch(client: Client): void {
      client.on('connected', (opened) => {
        stop();
        socket = opened as WebSocket; // graphql-ws types it as unknown.
      });
      client.on('ping', (isReceived) => {
        if (!isReceived) expectLife();
      });
      // The answer to a ping can be behind large messages.
      client.on('message', () => {
        if (deadline !== undefined) expectLife();
      });
      client.on('pong', (isReceived) => {
        if (!isReceived) return;
        stop();
        patienceMs = deadlineMs;
      });
      for (const event of ['closed', 'error'] as const)
        client.on(event, () => {
          stop();
          socket = undefined;
        });
    },
    /** Terminates a connection that does not open in time. Its messages are small: a failed attempt makes no later one wait longer. */
    expectOpen: () => expectWithin(deadlineMs, patienceMs),
    /** Sends a ping at once, unless an answer is due already. */
    check(): void {
      if (socket?.readyState !== 1 || deadline !== undefined) return;
      socket.send('{"type":"ping"}');
      expectLife();
    },
  };
}
