import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask, chatEvents, findGeneration, made, nextEvent, startChat } from '../../support/chats.ts';
import { startDatabaseServer } from '../../support/database-server.ts';
import {
  forEachLimited,
  intentsOf,
  isLong,
  pick,
  sendIntent,
  startFleetServer,
  waitUntilReady,
} from '../../support/fleet.ts';
import { startCountingGateway } from '../../support/counting-gateway.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { startScriptedGateway, words } from '../../support/scripted-gateway.ts';

/** Servers whose operations wait for the database for a second. */
const startWaitingLittle = (databaseUrl: string, gatewayUrl: string) =>
  startFleetServer({ DATABASE_URL: databaseUrl, GATEWAY_URL: gatewayUrl, DATABASE_TIMEOUT_SECONDS: '1' });

const outageMs = 30_000;
const creates = Number(process.env['CREATES'] ?? 1000);
const chatsPerServer = 3;

describe('three servers on PostgreSQL', () => {
  beforeEach(({ skip }) => skip(!isLong, 'takes minutes: it runs in npm run test:long'));

  test('stream to their own watchers while the database is gone for 30 seconds, refuse creates, and heal without a restart', async () => {
    const [database, gateway] = [await startDatabaseServer(), await startScriptedGateway()];
    const start = () => startWaitingLittle(database.url, gateway.url);
    const servers = [await start(), await start(), await start()];
    const chats = [];
    for (const server of servers)
      for (let index = 0; index < chatsPerServer; index += 1) {
        const at = gateway.requests.length;
        const starting = startChat(server, { input: ask(`chat ${at}`), idempotencyKey: `chat ${at}` });
        const exchange = await gateway.exchange(at);
        exchange.accept();
        const { id } = made(await starting);
        const events = chatEvents(server.wsClient(), { id });
        chats.push({ id, exchange, events, seen: [await nextEvent(events)] });
      }

    await database.stop();
    const goneAt = performance.now();
    const intents = intentsOf(creates);
    const codes: Record<string, number> = {};
    let tried = 0;
    const trying = forEachLimited(intents, 30, async (intent, index) => {
      // The last ones would wait until the database is back.
      if (performance.now() - goneAt > outageMs - 5000) return;
      tried += 1;
      const { code = 'accepted' } = await sendIntent(pick(servers, index), intent);
      codes[code] = (codes[code] ?? 0) + 1;
    });
    let sent = 0;
    for (let turn = 0; performance.now() - goneAt < outageMs; turn += 1) {
      sent += 1;
      const startedAt = performance.now();
      for (const { exchange } of chats) exchange.send(...words(`${turn} `));
      for (const { events, seen } of chats)
        while ((seen.at(-1)?.sequence ?? 0) < sent) seen.push(await nextEvent(events));
      // Watchers do not wait for the database.
      expect(performance.now() - startedAt).toBeLessThan(5000);
      for (const server of servers) {
        expect(await server.health('ready')).toBe(503);
        expect(await server.health('live')).toBe(200);
      }
      await wait(500);
    }
    await trying;
    expect(codes).toEqual({ '"RECORDS_UNAVAILABLE"': tried });
    expect(gateway.requests).toHaveLength(chats.length);

    await database.restart();
    await waitUntilReady(servers);
    const text = Array.from({ length: sent }, (_, turn) => `${turn} `).join('');
    for (const { exchange } of chats) exchange.send(...words('end'), '[DONE]');
    for (const { id, events, seen } of chats) {
      while (seen.at(-1)?.__typename !== 'ChatCompleted') seen.push(await nextEvent(events));
      expect(foldedText(seen)).toBe(`${text}end`);
      for (const server of servers)
        expect(await findGeneration(server, id)).toMatchObject({
          status: 'SUCCEEDED',
          output: { choices: [{ message: { content: `${text}end` } }] },
        });
    }
    process.stdout.write(
      `while the database was gone for 30 s: ${chats.length} chats got ${sent} deltas each, ${tried} creates ${JSON.stringify(codes)}, 0 sent\n`,
    );
  }, 300_000);

  test(`accept each of ${creates} creates once after an outage of the database, under the keys that were refused`, async () => {
    const [database, gateway] = [await startDatabaseServer(), await startCountingGateway(() => 0)];
    const start = () => startWaitingLittle(database.url, gateway.url);
    const servers = [await start(), await start(), await start()];
    const intents = intentsOf(creates);
    await database.stop();
    await forEachLimited(intents, 30, async (intent, index) => {
      expect(await sendIntent(pick(servers, index), intent)).toEqual({ code: '"RECORDS_UNAVAILABLE"' });
    });
    expect(gateway.requests).toHaveLength(0);
    await database.restart();
    await waitUntilReady(servers);
    await forEachLimited(intents, 12, async (intent, index) => {
      const made = await sendIntent(pick(servers, index), intent);
      expect(made.id, JSON.stringify([intent, made])).toBeDefined();
      expect(gateway.count(intent)).toBe(1);
    });
  }, 300_000);
});
