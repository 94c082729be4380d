import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppOverrides } from '../../src/app.ts';
import type { Store } from '../../src/store/store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  refused,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createHeldMethod } from '../support/held-method.ts';
import { createInbox } from '../support/inbox.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRecords, type Engine, sharedEngines } from '../support/records.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

async function startTwoServers(engine: Engine, secondOverrides?: AppOverrides) {
  const { env } = await createRecords(engine);
  const gateway = await startScriptedGateway();
  const start = async (overrides: AppOverrides = {}): Promise<TestApp> => {
    const app = await startApp({ gatewayUrl: gateway.url, env, overrides });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  return { gateway, first: await start(), second: await start(secondOverrides) };
}

describe.each(sharedEngines)('%s', (engine) => {
  describe('two servers that share records', () => {
    test('send one request for duplicates on both servers and return the same generation', async () => {
      const { gateway, first, second } = await startTwoServers(engine);
      const duplicates = [first, second, first, second].map((app) => createChatCompletion(app, hello));
      const exchange = await gateway.exchange(0);
      exchange.reply(200, { choices: [{ message: { content: 'a' } }] });
      const ids = (await Promise.all(duplicates)).map((duplicate) => made(duplicate).id);
      expect(new Set(ids).size).toBe(1);
      expect(gateway.requests).toHaveLength(1);
    });

    test('cancel a create later whose key the other one is about to record', async () => {
      const held = createHeldMethod('claim');
      const { gateway, first, second } = await startTwoServers(engine, { wrapStore: held.wrapStore });
      const starting = startChat(second, hello);
      await held.called;
      const by = { idempotencyKey: 'k' };
      expect(await cancelGeneration(first, by)).toMatchObject({ code: 'NOT_FOUND', retry: 'LATER' });
      held.release();
      (await gateway.exchange(0)).send(...words('a'));
      const { id } = made(await starting);
      expect(await cancelGeneration(first, by)).toMatchObject({ id, status: 'CANCELED' });
      expect(await cancelGeneration(first, { id: 'x' })).toMatchObject({ code: 'NOT_FOUND', retry: 'NEVER' });
    });

    test('see key conflicts and released keys of each other', async () => {
      const { gateway, first, second } = await startTwoServers(engine);
      const creating = startChat(first, hello);
      const exchange = await gateway.exchange(0);
      const conflict = refused(await startChat(second, { ...hello, input: ask('Bye') }));
      expect(conflict.code).toBe('IDEMPOTENCY_CONFLICT');
      const waiting = startChat(second, hello);
      exchange.reply(429, { error: { message: 'slow down' } });
      expect(refused(await creating).code).toBe('RATE_LIMITED');
      // The refusal releases the key, so the waiting duplicate is sent.
      (await gateway.exchange(1)).send(...words('a'), '[DONE]');
      made(await waiting);
      expect(gateway.requests).toHaveLength(2);
    });

    test("keep each other's chats when the clock of one steps by a minute", async () => {
      const clock = createManualClock(Date.now());
      const found = createInbox<number>();
      const wrapStore = (store: Store): Store => ({
        ...store,
        async findOrphans() {
          const orphans = await store.findOrphans();
          found.push(orphans.length);
          return orphans;
        },
      });
      const { gateway, first, second } = await startTwoServers(engine, { clock, wrapStore });
      const starting = startChat(first, hello);
      const exchange = await gateway.exchange(0);
      exchange.send(...words('a'));
      const { id } = made(await starting);
      const before = found.all.length;
      clock.advance(60_000);
      await found.when((all) => all.length > before);
      expect(found.all.at(-1)).toBe(0);
      // From here, its time passes by itself: a server whose time stands still sends no messages.
      const timer = setInterval(() => clock.advance(10), 10);
      onTestFinished(() => clearInterval(timer));
      expect(await findGeneration(second, id)).toMatchObject({ status: 'RUNNING', error: null });
      exchange.send(...words('b'), '[DONE]');
      expect(foldedText(await toEnd(chatEvents(first.wsClient(), { id })))).toBe('ab');
      expect(await findGeneration(second, id)).toMatchObject({ status: 'SUCCEEDED', error: null });
    });
  });
});
