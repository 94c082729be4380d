import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type EmbeddedDatabase, startEmbeddedPostgres } from '../../deploy/postgres/embedded.ts';
import { ask, findGeneration, made, startChat } from '../support/chats.ts';
import { type DurableServer, startDurableServer } from '../support/durable-server.ts';
import { sendRequest } from '../support/http.ts';
import { findPort } from '../support/postgres-broker.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

/** Longer than a server may be without its session. */
const outageMs = 4500;
/** After this time, the others would have settled the work of a server that they consider dead. */
const settledMs = 8000;

/** A PostgreSQL server that the test can stop and start. */
async function startDatabase() {
  const directory = await mkdtemp(join(tmpdir(), 'gengraph-outage-'));
  const port = await findPort();
  let database: EmbeddedDatabase | undefined;
  const start = async (isInitialized: boolean): Promise<string> => {
    database = await startEmbeddedPostgres({ directory, port, isInitialized, settings: ['fsync=off'] });
    return database.url;
  };
  const stop = async (): Promise<void> => {
    await database?.stop();
    database = undefined;
  };
  onTestFinished(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });
  return { url: await start(false), stop, restart: () => start(true) };
}

async function readinessOf({ url }: DurableServer): Promise<number> {
  return (await sendRequest(new URL('/health/ready', url).href, { method: 'GET' })).status;
}

test('a database that is gone for seconds ends no chat; a killed server loses its own within 5 s', async () => {
  const [database, gateway] = [await startDatabase(), await startScriptedGateway()];
  const location = { env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent' }, gatewayUrl: gateway.url };
  const [first, second] = [await startDurableServer(location), await startDurableServer(location)];
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  const { id } = made(await starting);

  await database.stop();
  await wait(outageMs);
  expect(await readinessOf(second)).toBe(503);
  await database.restart();
  for (const server of [first, second])
    await expect.poll(() => readinessOf(server), { timeout: 10_000 }).toBe(200);
  await wait(settledMs);
  expect(await findGeneration(second, id)).toMatchObject({ status: 'RUNNING', error: null });

  const crashedAt = performance.now();
  await first.crash();
  await expect
    .poll(() => findGeneration(second, id), { timeout: 5000, interval: 20 })
    .toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
  expect(performance.now() - crashedAt).toBeLessThan(5000);
  expect(gateway.requests).toHaveLength(1);
}, 90_000);
