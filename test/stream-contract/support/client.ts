import { createClient as createSseClient } from 'graphql-sse';
import { onTestFinished } from 'vitest';
import type { Address } from '../../../src/contract/clients/address.ts';
import type { Headers } from '../../../src/contract/clients/http.ts';
import type { Held } from '../../../src/contract/clients/events.ts';
import { type SubscriptionField, subscriptions } from '../../../src/contract/clients/operations.ts';
import {
  type Connection,
  connectSocket,
  openOnSocket,
  type Payload,
} from '../../../src/contract/clients/socket.ts';
import { type Opened, readWatch, type Watch } from '../../../src/contract/clients/watch.ts';

export { type Headers, type Result, run } from '../../../src/contract/clients/http.ts';

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

export function watch(address: Address, field: SubscriptionField, options: WatchOptions): Watch {
  const { headers, isHealing, held } = options;
  const payload = { query: subscriptions[field], variables: { ...options.variables } };
  const opened =
    options.transport === 'server-sent events'
      ? openEventStream(address, payload, options)
      : openOnSocket(options.connection ?? connect(address, headers, isHealing), payload);
  return readWatch(opened, { name: field, isHealing, held });
}

/** The stock client of graphql-ws. Closed when the test ends. */
export function connect(address: Address, headers: Headers, isHealing = false): Connection {
  const connection = connectSocket(address, headers, isHealing);
  onTestFinished(() => connection.close());
  return connection;
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
