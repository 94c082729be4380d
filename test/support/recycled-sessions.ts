import { Client, type PoolConfig } from 'pg';
import { afterAll } from 'vitest';
import { createQueues } from '../../src/lib/fairness/queues.ts';
import type { ConnectionPool } from '../../src/store/postgres/waiting-pool.ts';

/**
 * For a file with many tests of the store: pools whose sessions serve the stores of later tests too. A new session costs the
 * database a process, and a plan for each of its statements. Call it while tests are collected.
 */
export function recycleSessions(): (config: PoolConfig) => ConnectionPool {
  const all: Client[] = [];
  const unused = new Map<string, Client[]>();
  afterAll(async () => {
    for (const client of all) await client.end();
  });
  const open = async (settings: PoolConfig): Promise<Client> => {
    const client = new Client(settings);
    client.on('error', () => {});
    await client.connect();
    all.push(client);
    return client;
  };
  return ({ max = 10, ...settings }) => {
    const key = JSON.stringify(settings);
    const free = unused.get(key) ?? [];
    unused.set(key, free);
    const queue = createQueues(max);
    const lent = new Set<Promise<void>>();
    const lend = async () => {
      const client = free.pop() ?? (await open(settings));
      const returned = Promise.withResolvers<void>();
      const release = (error?: Error | boolean): void => {
        if (error) void client.end();
        else free.push(client);
        returned.resolve();
      };
      return { client: Object.assign(client, { release }), returned: returned.promise };
    };
    const connect = () => {
      const lending = Promise.withResolvers<Awaited<ReturnType<typeof lend>>['client']>();
      const use = queue('sessions', async () => {
        const { client, returned } = await lend();
        lending.resolve(client);
        await returned;
      }).catch(lending.reject);
      lent.add(use);
      void use.then(() => lent.delete(use));
      return lending.promise;
    };
    return {
      // The dialect awaits the connection.
      connect: connect as ConnectionPool['connect'],
      async end() {
        await Promise.all(lent);
      },
    };
  };
}
