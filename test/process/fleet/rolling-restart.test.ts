import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { apiAt } from '../../support/app.ts';
import { type FleetOptions, type FleetServer, isLong, startFleetServer } from '../../support/fleet.ts';
import { skipWithoutNginx, startSite } from '../../support/nginx.ts';
import { findPort } from '../../support/find-port.ts';
import { createDatabaseRecords } from '../../support/records.ts';
import { startLoad, startPacedGateway } from '../../support/restart-load.ts';

beforeEach(skipWithoutNginx);

interface Instance {
  readonly url: string;
  /** Stops it by SIGTERM and starts it again. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Open WebSockets. */
  countSockets(): Promise<number>;
}

/** A server that keeps its port. */
async function startInstance(env: FleetOptions): Promise<Instance> {
  const settings = {
    PORT: String(await findPort()),
    SHUTDOWN_SECONDS: '30',
    METRICS_ON_MAIN_PORT: 'true',
    ...env,
  };
  const start = async (): Promise<FleetServer> => {
    const server = await startFleetServer(settings);
    await expect.poll(() => server.health('ready'), { timeout: 30_000, interval: 50 }).toBe(200);
    return server;
  };
  let current = await start();
  const { origin } = current.process;
  return {
    url: origin,
    async restart() {
      current.process.kill('SIGTERM');
      await current.process.exited;
      current = await start();
    },
    async countSockets() {
      const figures = await (await fetch(`${origin}/metrics`)).text();
      return Number(/^gengraph_sockets(?:\{.*\})? (\d+)/m.exec(figures)?.[1]);
    },
  };
}

const cases = isLong ? (['with "down"', 'without "down"'] as const) : (['without "down"'] as const);

test.each(cases)(
  'no operation of a stock client fails while three instances behind nginx are restarted in turn, %s',
  async (way) => {
    const [gateway, records] = [await startPacedGateway(), await createDatabaseRecords()];
    const { DATABASE_URL = '' } = records.env;
    const env = { DATABASE_URL, GATEWAY_URL: gateway.url, TRUST_PROXY: '127.0.0.1' };
    const instances = await Promise.all([startInstance(env), startInstance(env), startInstance(env)]);
    const site = await startSite(instances.map(({ url }) => url));
    const load = startLoad(apiAt(`${site.url}/graphql`), { clients: isLong ? 40 : 12 });
    onTestFinished(() => load.end());
    while (load.outcomes.operations < (isLong ? 1000 : 100)) {
      for (const instance of instances) {
        if (way === 'with "down"') await site.markDown(instance.url);
        await instance.restart();
        if (way === 'with "down"') await site.markDown(undefined);
        // nginx does not use it until `fail_timeout` is over.
        await expect.poll(instance.countSockets, { timeout: 60_000, interval: 100 }).toBeGreaterThan(0);
      }
    }
    await load.end();
    console.log(`${load.outcomes.operations} operations, ${load.outcomes.failures.length} failed`);
    expect(load.outcomes.failures).toEqual([]);
    // Repeated creates are sent once.
    expect(gateway.intents.toSorted()).toEqual([...new Set(gateway.intents)].toSorted());
  },
  300_000,
);
