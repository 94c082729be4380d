import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { type Connection, createConnection } from './connection.ts';
import { type Credential, type CredentialSource, createCredentialSource } from './credential.ts';
import { createLiveness } from './liveness.ts';
import { onPageResumed } from './page-events.ts';
import { forbidden, toProblem } from './problem.ts';

const baseDelayMs = 250;
const maxDelayMs = 5000;
/** Some six minutes. */
const retryAttempts = 100;
const defaultKeepAliveMs = 5000;
/** An attempt to connect to it fails (RFC 6761). */
const nowhere = 'wss://a.invalid';

export interface ReconnectingOptions<
  Payload extends Record<string, unknown> = Record<string, unknown>,
> extends ClientOptions<Payload> {
  /** Sent as `Authorization` of the `connectionParams`. */
  readonly credential?: Credential;
  /** Milliseconds to wait for the answer to a ping, and for a handshake. @default keepAlive */
  readonly pongTimeout?: number | undefined;
}

export interface ReconnectingClient extends Client {
  readonly connection: Connection;
  /** Its operations fail, and it connects no more. */
  readonly isDisposed: boolean;
  dispose(): Promise<void>;
}

/**
 * A graphql-ws client that comes back by itself. By default the client retries only an open connection that closes: it gives
 * up if the server is down at the first reconnect, or if the connection breaks during the handshake, and it waits forever on
 * a connection that dies without closing, for example when a phone sleeps.
 *
 * This one retries for about six minutes, which covers a server restart. It sends a ping when it has received nothing for
 * `keepAlive` milliseconds (default 5000), and reconnects if nothing arrives for as long again. In a page it does so at once
 * when the page resumes. A `credential` that is a function supplies a new token before the old one expires. Fatal close codes
 * (4400, 4401 …) are still not retried. The other `options` have precedence. Your own `on` listeners work as usual.
 */
export function createReconnectingClient<Payload extends Record<string, unknown> = Record<string, unknown>>({
  credential,
  keepAlive = defaultKeepAliveMs,
  pongTimeout = keepAlive || defaultKeepAliveMs,
  ...options
}: ReconnectingOptions<Payload>): ReconnectingClient {
  const { webSocketImpl, url, connectionParams } = options;
  let endWait = (): void => {};
  const wait = (retries: number): Promise<void> => waitToRetry(retries, (end) => (endWait = end));
  const liveness = createLiveness({ deadlineMs: pongTimeout, terminate: () => client.terminate() });
  const connection = createConnection(() => {
    endWait();
    liveness.check();
  });
  /** From the end of a connection with an old credential until the next one is open. Watchers do not see it. */
  let isRenewing = false;
  let isWaiting = false;
  /** An operation that needs the next connection asks for it in a microtask. */
  const [startIdle, cancelIdle] = createDelayed(() => {
    isRenewing = false;
    connection.set('idle');
  });
  const credentials = createCredentialSource({
    credential,
    attempts: retryAttempts,
    wait,
    onRenewed() {
      client.terminate();
      isRenewing = true;
    },
  });
  let authorization: ReturnType<CredentialSource['read']> | undefined;
  let failure: unknown; // Why there is no credential, after all attempts.
  const client = createClient({
    keepAlive,
    retryAttempts,
    // Another attempt with the same refused credential is refused again.
    shouldRetry: (event) => event !== failure && !isRefused(event, credential),
    ...options,
    async retryWait(retries) {
      cancelIdle();
      isWaiting = true;
      if (!isRenewing) {
        connection.set('reconnecting');
        await (options.retryWait ?? wait)(retries);
      }
      isWaiting = false;
      startIdle(); // Unless it connects now.
    },
    webSocketImpl: webSocketImpl && withErrorListener(webSocketImpl as typeof WebSocket), // graphql-ws types it as unknown.
    // Before the socket opens: the server closes one that waits for its credential.
    async url() {
      authorization = credentials.read();
      // A failure surfaces in `connectionParams`, where it ends the operations with its reason.
      await authorization.catch((cause: unknown) => (failure = cause));
      if (reconnecting.isDisposed) return nowhere; // Not earlier: with `lazy: false`, it does not exist at the first call.
      const address = await toValue(url).catch(() => nowhere); // graphql-ws would wait forever without one.
      if (keepAlive > 0) liveness.expectOpen();
      return address;
    },
    async connectionParams() {
      const own = await toValue(connectionParams);
      const value = await authorization;
      return value ? { ...own, Authorization: value } : own;
    },
  });
  liveness.watch(client);
  client.on('connecting', (isRetry) => {
    cancelIdle();
    if (!isRenewing) connection.set(isRetry ? 'reconnecting' : 'connecting');
  });
  client.on('connected', () => {
    isRenewing = false;
    connection.set('connected');
    credentials.plan();
  });
  client.on('closed', (event) => {
    credentials.stop();
    isRenewing = false;
    if (isRefused(event, credential)) connection.set('closed', toProblem(event));
    else if (!isWaiting) startIdle();
  });
  const stopListening = onPageResumed(connection.check);
  const reconnecting: ReconnectingClient = {
    ...client,
    connection,
    isDisposed: false,
    async dispose() {
      stopListening();
      credentials.dispose();
      Object.assign(reconnecting, refusal);
      connection.set('closed', toProblem(disposed));
      connection.set = () => {};
      endWait();
      // It waits for a connection that is being opened, which may fail.
      await (client.dispose() as Promise<void>).catch(() => {}); // graphql-ws always returns a promise.
    },
  };
  return reconnecting;
}

/** Why operations of a disposed client end. */
export const disposed = { reason: 'The client was disposed.' };

/** Of a disposed client: what goes on after the end of its operation would connect again. */
const refusal: Pick<ReconnectingClient, 'isDisposed' | 'subscribe' | 'iterate'> = {
  isDisposed: true,
  subscribe(_operation, sink) {
    sink.error(disposed);
    return () => {};
  },
  async *iterate() {
    yield Promise.reject(disposed);
  },
};

/** An option that is a value, or a function that returns it. */
async function toValue<Value>(option: Value | (() => Value | Promise<Value>)): Promise<Value> {
  return typeof option === 'function' ? (option as () => Promise<Value>)() : option; // No value is a function.
}

/** Waits between attempts. `onBegun` gets a function that ends the wait early. */
function waitToRetry(retries: number, onBegun: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, backoffMs(retries));
    onBegun(resolve);
  });
}

/** @returns a function that runs it in the next task, and one that cancels that */
function createDelayed(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => clearTimeout(timer);
  const start = (): void => {
    cancel();
    timer = setTimeout(run);
  };
  return [start, cancel] as const;
}

/** For a graphql-ws client without the rest. */
export const retryOptions = {
  shouldRetry: () => true,
  retryAttempts,
} satisfies Partial<ClientOptions>;

/** Exponential back-off with jitter: clients disconnected by one restart do not all return together. `random` is from 0 to 1. */
export function backoffMs(retries: number, random = Math.random()): number {
  const longest = Math.min(baseDelayMs * 2 ** retries, maxDelayMs);
  return longest / 2 + (longest / 2) * random;
}

/**
 * Whether the server would refuse the next attempt too. graphql-ws does not connect again after most codes from 4000. Some are
 * timeouts.
 */
function isRefused(event: unknown, credential: Credential): boolean {
  // Close events have a code, errors of sockets do not.
  const { code = 0 } = (event ?? {}) as { readonly code?: number };
  return code === forbidden
    ? typeof credential === 'string'
    : code >= 4000 && ![4408, 4499, 4504].includes(code);
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
