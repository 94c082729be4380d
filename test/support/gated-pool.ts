import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { ConnectionPool } from '../../src/store/postgres/waiting-pool.ts';

/** A pool whose connections may be terminated: the database may be dropped before the pool closes. */
export function createTestPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** A pool whose statements wait for `pass` before they are sent. `name` is the application name of the connections. */
export function createGatedPool(config: PoolConfig, name: string, pass: () => Promise<void>): ConnectionPool {
  const pool = createTestPool({ ...config, application_name: name });
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
}
