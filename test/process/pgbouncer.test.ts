import { beforeEach, describe, expect, test } from 'vitest';
import { ask, cancelGeneration, chatEvents, made, nextEvent, startChat, toEnd } from '../support/chats.ts';
import { startDatabaseServer } from '../support/database-server.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { skipWithoutPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { startBuilt } from '../support/built-program.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

describe('servers behind PgBouncer in transaction mode', () => {
  beforeEach(skipWithoutPgBouncer);

  test('do not start without the URL of the database: the lock of a dead one would stay in the pooler', async () => {
    const bouncer = await startPgBouncer((await startDatabaseServer()).url);
    for (const env of [
      { DATABASE_URL: bouncer.url },
      { DATABASE_URL: bouncer.url, DATABASE_LISTEN_URL: bouncer.url },
    ]) {
      const program = startBuilt([], { env: { SANDBOX: 'on', ...env } });
      expect(await program.exited).toMatchObject({ code: 1 });
      expect(program.output).toMatch(/set DATABASE_LISTEN_URL to the database itself|without the pooler/);
    }
  });

  test('share chats, and wait for a database that restarts', async () => {
    const [database, gateway] = [await startDatabaseServer(), await startScriptedGateway()];
    const bouncer = await startPgBouncer(database.url);
    const env = {
      DATABASE_URL: bouncer.url,
      DATABASE_LISTEN_URL: database.url,
      DATABASE_TIMEOUT_SECONDS: '60',
    };
    const location = { env, gatewayUrl: gateway.url };
    const [first, second] = [await startDurableServer(location), await startDurableServer(location)];
    const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'first' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one '));
    const { id } = made(await starting);
    const events = chatEvents(second.wsClient(), { id });
    const seen = [await nextEvent(events)];

    await database.stop();
    const startingLater = startChat(second, { input: ask('Hello again'), idempotencyKey: 'second' });
    await database.restart();
    const later = await gateway.exchange(1);
    later.send(...words('later'), '[DONE]');
    expect(made(await startingLater).id).not.toBe(id);

    await bouncer.restart();
    exchange.send(...words('two'));
    while (!foldedText(seen).includes('two')) seen.push(await nextEvent(events));
    expect(made(await cancelGeneration(second, { id })).status).toBe('CANCELED');
    expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCanceled');
  });
});
