import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { ConnectionPool } from '../../src/store/postgres/postgres-dialect.ts';

/** Lets a test decide when each statement of one store is sent. */
export interface Steps {
  readonly createPool: (config: PoolConfig) => ConnectionPool;
  /** Whether a statement waits for `next`. */
  readonly isWaiting: boolean;
  /** Sends the statement that has waited longest. */
  next(): void;
  /** While it is free, every statement is sent at once. */
  setFree(isFree: boolean): void;
}

/** `name` is the application name of the connections. */
export function createSteps(name: string): Steps {
  const waiting: (() => void)[] = [];
  let isFree = true;
  const pass = async (): Promise<void> => {
    if (!isFree) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    createPool(config) {
      const pool = new Pool({ ...config, application_name: name });
      // The database may be dropped before the pool closes.
      pool.on('error', () => {});
      pool.on('connect', (client) => void client.on('error', () => {}));
      const connect = async (): Promise<PoolClient> => {
        const client = await pool.connect();
        const members: Pick<PoolClient, 'query' | 'release'> = {
          // The dialect uses one overload of it.
          query: (async (query: Parameters<PoolClient['query']>[0]) => {
            await pass();
            return client.query(query);
          }) as PoolClient['query'],
          release: (error) => client.release(error),
        };
        return Object.assign(Object.create(client) as PoolClient, members);
      };
      // The dialect awaits the connection.
      return { connect: connect as Pool['connect'], end: () => pool.end() };
    },
    get isWaiting() {
      return waiting.length > 0;
    },
    next: () => waiting.shift()?.(),
    setFree(free) {
      isFree = free;
      if (free) for (const send of waiting.splice(0)) send();
    },
  };
}
