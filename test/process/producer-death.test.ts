import { expect, test } from 'vitest';
import { deathTimeoutMs, measureDeath, waitForRenewals } from '../support/death-bound.ts';
import { startApp } from '../support/app.ts';
import { ask, chatEvents, findGeneration, made, nextEvent, startChat, toEnd } from '../support/chats.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createRecords } from '../support/records.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

test(
  'a watcher on another server gets the end of a chat within one lease and two seconds after its server was killed',
  async () => {
    const { env, query } = await createRecords('PostgreSQL');
    const gateway = await startScriptedGateway();
    const producer = await startDurableServer({ gatewayUrl: gateway.url, env });
    await using app = await startApp({ gatewayUrl: gateway.url, env });
    const starting = startChat(producer, { input: ask('Hello'), idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('a', 'b'));
    const { id } = made(await starting);
    const events = chatEvents(app.wsClient(), { id });
    const seen = [await nextEvent(events)];
    while (seen.at(-1)?.sequence !== 2) seen.push(await nextEvent(events));
    await waitForRenewals(query);
    const death = await measureDeath(query, producer.crash);
    seen.push(...(await toEnd(events)));
    await death.expectSettled();
    expect(seen.at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      sequence: 2,
      error: { code: 'INTERRUPTED' },
    });
    expect(foldedText(seen)).toBe('ab');
    expect(await findGeneration(app, id)).toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
    expect(gateway.requests).toHaveLength(1);
  },
  deathTimeoutMs,
);
