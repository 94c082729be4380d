import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Address } from './address.ts';
import type { Opened } from './watch.ts';

/** A stock client of graphql-ws, and its sockets. */
export interface Connection {
  readonly client: Client;
  readonly sockets: readonly WebSocket[];
  close(): void;
}

export interface Payload {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** @param isHealing whether it repeats its operations after a lost connection */
export function connectSocket(
  { socketUrl, host }: Address,
  connectionParams: Readonly<Record<string, string>>,
  isHealing = false,
): Connection {
  const sockets: WebSocket[] = [];
  class Observed extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { headers: host === undefined ? {} : { host } });
      sockets.push(this);
    }
  }
  const client = createClient({
    url: socketUrl,
    webSocketImpl: Observed,
    connectionParams,
    retryAttempts: isHealing ? 1000 : 0,
    shouldRetry: () => true,
    // Between two attempts, other work of this process runs.
    retryWait: () => setTimeout(10),
  });
  return {
    client,
    sockets,
    close() {
      void client.dispose();
      client.terminate();
    },
  };
}

export function openOnSocket({ client, sockets }: Connection, payload: Payload): Opened {
  return {
    results: client.iterate(payload),
    disconnect: () => sockets.at(-1)?.terminate(),
    setReading(isReading) {
      if (isReading) sockets.at(-1)?.resume();
      else sockets.at(-1)?.pause();
    },
  };
}
