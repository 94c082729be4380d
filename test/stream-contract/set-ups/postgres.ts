import { openSharedDatabase } from '../../support/postgres.ts';
import type { Endpoint, Outage, SetUp } from '../set-up.ts';
import { startEndpoint, toEnv } from './one-process.ts';
import { startTcpGate } from './tcp-gate.ts';

/** The instance that gets the first connection. Another one gives each case other pairs of instances. */
const firstInstance = Number(process.env['FIRST_INSTANCE'] ?? 0);

/** One process with its records in PostgreSQL. */
export const onePostgresProcess: SetUp = {
  name: 'one process on PostgreSQL',
  faults: ['kill', 'pause', 'clock step', 'database gone'],
  start: ({ gatewayUrl, settings }) => startOnPostgres(1, { GATEWAY_URL: gatewayUrl, ...toEnv(settings) }),
};

/** Starts instances on one database. A load balancer sends each connection to the next instance. */
export async function startOnPostgres(
  count: number,
  env: Readonly<Record<string, string>>,
): Promise<Endpoint> {
  const database = await openSharedDatabase();
  const databaseUrl = new URL(database.url);
  const databaseGate = await startTcpGate([Number(databaseUrl.port || 5432)]);
  const firstGate = await startTcpGate([databaseGate.port]);
  const instances: Endpoint[] = [];
  for (let index = 0; index < count; index += 1) {
    databaseUrl.port = String((index === 0 ? firstGate : databaseGate).port);
    instances.push(await startEndpoint({ ...env, DATABASE_URL: databaseUrl.href }));
  }
  const ports = instances.map(({ url }) => Number(new URL(url).port));
  const balancer = await startTcpGate([...ports.slice(firstInstance), ...ports.slice(0, firstInstance)]);
  const origin = `127.0.0.1:${balancer.port}/graphql`;
  const together = (fault: 'kill' | 'pause'): Outage => ({
    begin: () => each(instances, ({ outages }) => outages[fault]?.begin()),
    end: () => each(instances, ({ outages }) => outages[fault]?.end()),
  });
  return {
    url: `http://${origin}`,
    socketUrl: `ws://${origin}`,
    instances,
    outages: {
      kill: together('kill'),
      pause: together('pause'),
      'database gone': databaseGate.outage,
      'cut off': firstGate.outage,
    },
    stepClock: (milliseconds) => each(instances, (instance) => instance.stepClock?.(milliseconds)),
    async close() {
      await balancer.close();
      await each(instances, (instance) => instance.close());
      await firstGate.close();
      await databaseGate.close();
      await database.drop();
    },
  };
}

async function each(
  instances: readonly Endpoint[],
  act: (instance: Endpoint) => Promise<void> | undefined,
): Promise<void> {
  await Promise.all(instances.map(async (instance) => act(instance)));
}
