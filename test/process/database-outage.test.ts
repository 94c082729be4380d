import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deathTimeoutMs, measureDeath } from '../support/death-bound.ts';
import { ask, findGeneration, made, startChat } from '../support/chats.ts';
import { startDatabaseServer } from '../support/database-server.ts';
import { type DurableServer, startDurableServer } from '../support/durable-server.ts';
import { sendRequest } from '../support/http.ts';
import { connectTo } from '../support/postgres.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

/** Longer than a lease. */
const outageMs = 12_000;
/** Much longer than a server needs to show an end. */
const endMs = 2000;
/** After this time, the others judge leases again. */
const settledMs = 12_000;

async function readinessOf({ url }: DurableServer): Promise<number> {
  return (await sendRequest(new URL('/health/ready', url).href, { method: 'GET' })).status;
}

/** Two servers with one database, and a chat that runs on the first. */
async function startChatOnFirst() {
  const [database, gateway] = [await startDatabaseServer(), await startScriptedGateway()];
  const location = { env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent' }, gatewayUrl: gateway.url };
  const [first, second] = [await startDurableServer(location), await startDurableServer(location)];
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  const { id } = made(await starting);
  return { database, gateway, first, second, exchange, id };
}

test('a database that is gone for longer than a lease ends no chat; a killed server loses its own within one lease and two seconds', async () => {
  const { database, gateway, first, second, id } = await startChatOnFirst();

  await database.stop();
  await wait(outageMs);
  expect(await readinessOf(second)).toBe(503);
  await database.restart();
  for (const server of [first, second]) await expect.poll(() => readinessOf(server)).toBe(200);
  await wait(settledMs);
  expect(await findGeneration(second, id)).toMatchObject({ status: 'RUNNING', error: null });

  const client = await connectTo(database.url);
  const death = await measureDeath(async (statement) => (await client.query(statement)).rows, first.crash);
  await expect
    .poll(() => findGeneration(second, id), { timeout: deathTimeoutMs, interval: 20 })
    .toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
  await death.expectSettled();
  expect(gateway.requests).toHaveLength(1);
}, 120_000);

test('a chat that finishes while the database is gone, on a server that is killed before it is back, was never shown as complete', async () => {
  const { database, gateway, first, second, exchange, id } = await startChatOnFirst();
  const socket = await openRawSocket(first.url);
  await socket.init();
  socket.subscribe(
    'watch',
    `subscription { chatEvents(id: "${id}") { __typename soFar { choices { message { content } } } } }`,
  );
  const seen = (text: string) => socket.inbox.when((all) => JSON.stringify(all).includes(text));
  await seen('one ');

  await database.stop();
  exchange.send(...words('two'), '[DONE]');
  // The text goes on.
  await seen('one two');
  await wait(endMs);
  await first.crash();
  await socket.closed;
  const types = JSON.stringify(socket.texts);
  expect(types).toContain('ChatDelta');
  expect(types).not.toMatch(/Chat(Completed|Failed|Canceled)/);
  await database.restart();
  await expect.poll(() => readinessOf(second)).toBe(200);
  await expect
    .poll(() => findGeneration(second, id), { timeout: deathTimeoutMs, interval: 200 })
    .toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
  const { data } = await second.run(`{ generation(by: { id: "${id}" }) { error { retry } } }`);
  expect(data).toMatchObject({ generation: { error: { retry: 'MAY_CHARGE_AGAIN' } } });
  expect(gateway.requests).toHaveLength(1);
}, 120_000);
