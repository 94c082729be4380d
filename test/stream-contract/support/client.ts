import { createClient as createSseClient } from 'graphql-sse';
import { type Client, createClient } from 'graphql-ws';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createInbox } from '../../support/inbox.ts';
import { beforeDeadline } from './deadline.ts';
import { applyEvent, type Held, isDelta, isEnd, isSnapshot, nothing, type StreamEvent } from './events.ts';
import { type OperationField, operations, type SubscriptionField, subscriptions } from './operations.ts';

export type Headers = Readonly<Record<string, string>>;

export interface Address {
  readonly url: string;
  readonly socketUrl: string;
}

export interface WatchOptions {
  readonly variables: Readonly<Record<string, unknown>>;
  /** @default a WebSocket */
  readonly transport?: 'WebSocket' | 'server-sent events';
  readonly headers: Headers;
  /** The stock client repeats the operation after a lost connection. @default false */
  readonly isHealing?: boolean;
  /** The sequence that the client holds already. Requires `held`. */
  readonly held?: Held;
  /** The stock client of other subscriptions too. @default one of its own */
  readonly connection?: Connection;
}

/** A stock client of graphql-ws, and its sockets. */
export interface Connection {
  readonly client: Client;
  readonly sockets: readonly WebSocket[];
}

/**
 * One subscription, read by the documented rules. Every event that breaks a rule fails the watch. Every wait rejects after a
 * minute, with what the client holds.
 */
export interface Watch {
  readonly events: readonly StreamEvent[];
  /** What the client holds after all events. */
  readonly held: Held;
  /** Resolves with the event at this index. Rejects when the watch ends without it. */
  at(index: number): Promise<StreamEvent>;
  /** Resolves when the client holds this sequence. */
  untilSequence(sequence: number): Promise<void>;
  /** Resolves with all events when the subscription completes. Rejects when it fails or an event breaks a rule. */
  readonly ended: Promise<readonly StreamEvent[]>;
  /** Unsubscribes. */
  leave(): Promise<void>;
  /** Closes the connection without unsubscribing. */
  disconnect(): void;
  /** Stops or continues to read from the connection. Only for a WebSocket. */
  setReading(isReading: boolean): void;
}

interface Opened {
  readonly results: AsyncIterableIterator<{ readonly data?: unknown; readonly errors?: unknown }>;
  readonly disconnect: () => void;
  readonly setReading: (isReading: boolean) => void;
}

export function watch(address: Address, field: SubscriptionField, options: WatchOptions): Watch {
  const payload = { query: subscriptions[field], variables: { ...options.variables } };
  const { results, disconnect, setReading } =
    options.transport === 'server-sent events'
      ? openEventStream(address, payload, options)
      : openSocket(address, payload, options);
  const events = createInbox<StreamEvent>();
  let held = options.held ?? nothing;
  const receive = (event: StreamEvent): void => {
    const last = events.all.at(-1);
    if (last && isEnd(last) && !(options.isHealing && (isSnapshot(event) || isEnd(event))))
      throw new Error(`${event.__typename} after the end`);
    if (!last && isDelta(event) && held === nothing) throw new Error('the first event is a delta');
    if (last && isSnapshot(event) && !options.isHealing) throw new Error('a second snapshot');
    held = applyEvent(held, event);
    events.push(event);
  };
  const read = async (): Promise<readonly StreamEvent[]> => {
    for await (const { data, errors } of results) {
      const [event] = Object.values((data ?? {}) as Record<string, StreamEvent>);
      if (errors || !event) throw new Error(JSON.stringify(errors));
      receive(event);
    }
    return events.all;
  };
  const ended = read();
  ended.catch(() => {});
  const orEnd = async (waiting: Promise<unknown>): Promise<void> => {
    let isReached = false;
    await Promise.race([waiting.then(() => (isReached = true)), ended.then(() => waitForMicrotasks())]);
    if (!isReached) throw new Error(`the watch ended after ${events.all.length} events`);
  };
  const describe = (awaited: string) => (): string =>
    `waits for ${awaited}, ${field} holds sequence ${held.sequence} after ${events.all.length} events`;
  return {
    events: events.all,
    get held() {
      return held;
    },
    async at(index) {
      const event = events.at(index);
      await beforeDeadline(orEnd(event), describe(`event ${index}`));
      return event;
    },
    async untilSequence(sequence) {
      const reached = events.when(() => held.sequence >= sequence);
      await beforeDeadline(orEnd(reached), describe(`sequence ${sequence}`));
    },
    get ended() {
      return beforeDeadline(ended, describe('its end'));
    },
    async leave() {
      await results.return?.();
    },
    disconnect,
    setReading,
  };
}

/** Lets a wait whose condition the last event has met resolve first. */
async function waitForMicrotasks(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

interface Payload {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

function openSocket(address: Address, payload: Payload, options: WatchOptions): Opened {
  const { client, sockets } = options.connection ?? connect(address, options.headers, options.isHealing);
  return {
    results: client.iterate(payload),
    disconnect: () => sockets.at(-1)?.terminate(),
    setReading(isReading) {
      if (isReading) sockets.at(-1)?.resume();
      else sockets.at(-1)?.pause();
    },
  };
}

/** The stock client of graphql-ws. */
export function connect({ socketUrl }: Address, headers: Headers, isHealing = false): Connection {
  const sockets: WebSocket[] = [];
  class Observed extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      sockets.push(this);
    }
  }
  const client = createClient({
    url: socketUrl,
    webSocketImpl: Observed,
    connectionParams: headers,
    retryAttempts: isHealing ? 1000 : 0,
    shouldRetry: () => true,
    // Between two attempts, other work of this process runs.
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 10)),
  });
  onTestFinished(() => client.terminate());
  onTestFinished(() => void client.dispose());
  return { client, sockets };
}

function openEventStream({ url }: Address, payload: Payload, { headers, isHealing }: WatchOptions): Opened {
  const client = createSseClient({
    url,
    headers: { ...headers },
    retryAttempts: isHealing ? 1000 : 0,
    retry: () => new Promise((resolve) => setTimeout(resolve, 10)),
  });
  onTestFinished(() => client.dispose());
  return {
    // Both clients type results loosely.
    results: client.iterate(payload) as Opened['results'],
    disconnect: () => client.dispose(),
    setReading() {
      throw new Error('only a WebSocket can stop reading');
    },
  };
}

/** The result of a field, or the code of a top-level error. */
export interface Result {
  readonly __typename?: string;
  readonly id?: string;
  readonly status?: string;
  readonly isTerminal?: boolean;
  readonly code?: string;
  readonly retry?: string;
  readonly error?: { readonly code: string } | null;
  readonly output?: {
    readonly choices?: readonly {
      readonly index: number;
      readonly message: { readonly content: string | null };
    }[];
    readonly images?: readonly { readonly index: number }[];
  } | null;
  readonly edges?: readonly { readonly node: { readonly id: string } }[];
}

/** Runs an operation over HTTP. A top-level error is returned as its code. */
export async function run(
  { url }: Address,
  field: OperationField,
  { variables = {}, headers }: { readonly variables?: object; readonly headers: Headers },
): Promise<Result | null> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query: operations[field], variables }),
  });
  const { data, errors } = (await response.json()) as {
    readonly data?: Readonly<Record<string, Result | null>> | null;
    readonly errors?: readonly {
      readonly message: string;
      readonly extensions?: { readonly code?: string };
    }[];
  };
  const [error] = errors ?? [];
  if (error) return { code: error.extensions?.code ?? error.message };
  return data?.[field] ?? null;
}
