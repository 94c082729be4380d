import { type Client, type ClientOptions, createClient } from 'graphql-ws';

const baseDelayMs = 250;
const maxDelayMs = 5000;
const defaultKeepAliveMs = 5000;
/** Longest wait for a sign of life, for networks that need longer than `keepAlive` for one large message. */
const maxPatienceMs = 20_000;

/**
 * A graphql-ws client that comes back by itself. By default the client retries only an open connection that closes: it gives
 * up if the server is down at the first reconnect, or if the connection breaks during the handshake, and it waits forever on
 * a connection that dies without closing, for example when a phone sleeps.
 *
 * This one retries for about six minutes, which covers a server restart. It sends a ping when it has received nothing for
 * `keepAlive` milliseconds (default 5000), and reconnects if nothing arrives for as long again. Fatal close codes (4400,
 * 4401 …) are still not retried. `options` has precedence. Your own `on` listeners work as usual.
 */
export function createReconnectingClient<Payload extends Record<string, unknown> = Record<string, unknown>>(
  options: ClientOptions<Payload>,
): Client {
  const { keepAlive = defaultKeepAliveMs, webSocketImpl } = options;
  const sockets = isWebSocketClass(webSocketImpl) && { webSocketImpl: withErrorListener(webSocketImpl) };
  const client = createClient({ ...retryOptions, keepAlive, ...options, ...sockets });
  if (keepAlive > 0) terminateDeadConnections(client, keepAlive);
  return client;
}

export const retryOptions = {
  shouldRetry: () => true,
  retryAttempts: 100,
  retryWait: (retries: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, backoffMs(retries, Math.random()))),
} satisfies Partial<ClientOptions>;

/** Exponential back-off with jitter: clients disconnected by one restart do not all return together. `random` is from 0 to 1. */
export function backoffMs(retries: number, random: number): number {
  const longest = Math.min(baseDelayMs * 2 ** retries, maxDelayMs);
  return longest / 2 + (longest / 2) * random;
}

function isWebSocketClass(value: unknown): value is typeof WebSocket {
  return typeof value === 'function';
}

/**
 * graphql-ws removes its own listener before it gives up a handshake, and a socket of the package `ws` then reports an error.
 * Without a listener, this error would end the process.
 */
function withErrorListener(implementation: typeof WebSocket): typeof WebSocket {
  return class extends implementation {
    constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
      super(...parameters);
      this.addEventListener('error', () => {});
    }
  };
}

/** A browser reports a connection without a network as open for minutes, and closes it only after a handshake. */
function terminateDeadConnections(client: Client, keepAliveMs: number): void {
  let patienceMs = keepAliveMs;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const stopWaiting = (): void => {
    clearTimeout(deadline);
    deadline = undefined;
  };
  const waitForLife = (): void => {
    stopWaiting();
    deadline = setTimeout(() => {
      deadline = undefined;
      patienceMs = Math.max(keepAliveMs, Math.min(2 * patienceMs, maxPatienceMs));
      client.terminate();
    }, patienceMs);
  };
  client.on('connecting', waitForLife);
  client.on('connected', stopWaiting);
  client.on('ping', (isReceived) => {
    if (!isReceived) waitForLife();
  });
  // The answer to a ping can be behind large messages.
  client.on('message', () => {
    if (deadline !== undefined) waitForLife();
  });
  client.on('pong', (isReceived) => {
    if (!isReceived) return;
    stopWaiting();
    patienceMs = keepAliveMs;
  });
  client.on('closed', stopWaiting);
  client.on('error', stopWaiting);
}
