import { Client } from 'pg';
import type { Clock } from '../../lib/clock.ts';
import { readConnectionUrl } from '../../store/postgres/connection-settings.ts';

export interface SessionOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  /** Runs on every new connection before `onConnected`. */
  readonly prepare: (query: Query) => Promise<void>;
  readonly onConnected: () => void;
  readonly onLost: (error: unknown) => void;
  /** A lost connection may still hold its locks. They are released when this has ended, also if it failed. */
  readonly beforeClose: () => Promise<void>;
  readonly onNotification: (payload: string) => void;
}

export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** One connection that keeps its session state: what it listens to, and its locks. Reconnects with back-off. */
export interface Session {
  /** @throws while there is no connection */
  readonly query: Query;
  close(): Promise<void>;
}

const minDelayMs = 100;
/** Short: meanwhile, no other instance hears this one. */
const maxDelayMs = 1000;

/** @throws if the first connection fails */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { clock, random, timeoutMs, prepare, onConnected, onLost, beforeClose, onNotification } = options;
  const settings = {
    ...readConnectionUrl(options.url),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  };
  let current: Client | undefined;
  let cancelRetry: (() => void) | undefined;
  let isClosed = false;
  /** By their texts: the database plans a named statement once per connection. */
  const names = new Map<string, string>();
  /** Statements run one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  const close = async (client: Client): Promise<void> => {
    await client.end().catch(() => {});
  };
  const connect = async (): Promise<void> => {
    const client = new Client(settings);
    const lose = (reason: unknown): void => {
      if (current !== client) return;
      current = undefined;
      void beforeClose()
        .catch(() => {})
        .then(() => close(client));
      onLost(reason);
      retry(minDelayMs);
    };
    client.on('error', lose);
    client.on('end', () => lose(new Error('the connection was closed')));
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    try {
      await client.connect();
      await prepare(queryOf(client, names));
    } catch (error) {
      void close(client);
      throw error;
    }
    if (isClosed) return close(client);
    current = client;
    onConnected();
  };
  const retry = (delayMs: number): void => {
    if (isClosed) return;
    cancelRetry = clock.after(delayMs * (0.5 + random() / 2), () => {
      connect().catch(() => retry(Math.min(2 * delayMs, maxDelayMs)));
    });
  };

  const runNow = async <Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    const client = current;
    if (!client) throw new Error('there is no connection to the database');
    try {
      return await queryOf(client, names)<Row>(text, values);
    } catch (error) {
      // The server answers an invalid statement with a code. Otherwise the connection may hang: replace it.
      if (!(error instanceof Error && 'code' in error)) client.emit('error', error);
      throw error;
    }
  };

  await connect();
  return {
    query<Row>(text: string, values: readonly unknown[] = []) {
      const result = last.then(() => runNow<Row>(text, values));
      last = result.catch(() => {});
      return result;
    },
    async close() {
      isClosed = true;
      cancelRetry?.();
      const client = current;
      current = undefined;
      if (client) await close(client);
    },
  };
}

function queryOf(client: Client, names: Map<string, string>): Query {
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `statement_${names.size}`;
    names.set(text, name);
    return name;
  };
  return async (text: string, values: readonly unknown[] = []) =>
    // The caller names the columns of its statement. Without values, a text may hold several statements.
    (await client.query(values.length > 0 ? { name: nameOf(text), text, values: [...values] } : { text }))
      .rows;
}
