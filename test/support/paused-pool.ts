import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { ConnectionPool } from '../../src/store/postgres/postgres-dialect.ts';

/** Stops the statements of one store before they are sent. */
export interface StatementGate {
  readonly createPool: (config: PoolConfig) => ConnectionPool;
  /** Statements since the last `pauseBefore`. */
  readonly count: number;
  /** Resets the count, and stops before the statement with this index (from 0). */
  pauseBefore(index: number): Pause;
}

export interface Pause {
  readonly reached: Promise<void>;
  resume(): void;
}

export function createStatementGate(name: string): StatementGate {
  let count = 0;
  let pausedAt = -1;
  let reached = Promise.withResolvers<void>();
  let resumed = Promise.withResolvers<void>();
  const pass = async (): Promise<void> => {
    const index = count;
    count += 1;
    if (index !== pausedAt) return;
    reached.resolve();
    await resumed.promise;
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
    get count() {
      return count;
    },
    pauseBefore(index) {
      count = 0;
      pausedAt = index;
      reached = Promise.withResolvers();
      resumed = Promise.withResolvers();
      return { reached: reached.promise, resume: resumed.resolve };
    },
  };
}
