import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { retryOptions } from '../../src/client/reconnecting.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { createDatabase } from '../support/postgres.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const list = '{ generations { edges { node { id } } } }';

async function start(url: string, env: Readonly<Record<string, string>> = {}) {
  const server = await startScripted({ env: { DATABASE_URL: url, ...env } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

describe('a database that is away for a moment', () => {
  test('lets reads, creates and subscriptions wait for it', async () => {
    const proxy = await startTcpProxy(await createDatabase());
    const { app, gateway } = await start(proxy.url);
    const before = startChat(app, { input: ask('first'), idempotencyKey: 'first' });
    (await gateway.exchange(0)).send(...words('a'), '[DONE]');
    const { id } = made(await before);
    proxy.refuse();
    const reading = app.run<{ generations: { edges: unknown[] } }, object>(list);
    const creating = startChat(app, { input: ask('second'), idempotencyKey: 'second' });
    const streaming = toEnd(streamChat(app.wsClient(), { input: ask('third') }));
    // Longer than one attempt to connect.
    await wait(700);
    expect(gateway.requests).toHaveLength(1);
    proxy.accept();
    expect((await reading).data?.generations.edges).toEqual([{ node: { id } }]);
    for (const index of [1, 2]) (await gateway.exchange(index)).send(...words('b'), '[DONE]');
    expect(made(await creating).status).toBe('RUNNING');
    expect(foldedText(await streaming)).toBe('b');
  });

  test('lets a read wait whose connection it cuts', async () => {
    const proxy = await startTcpProxy(await createDatabase());
    const { app } = await start(proxy.url);
    // Connections of the pool that broke are found only by their next statement.
    for (let turn = 0; turn < 5; turn += 1) {
      const reading = Promise.all(Array.from({ length: 20 }, () => app.run(list)));
      proxy.cut();
      for (const { errors } of await reading) expect(errors).toBeUndefined();
    }
  });
});

test('a database that stays away for longer closes the sockets of stock clients without keys, which come back', async () => {
  const proxy = await startTcpProxy(await createDatabase());
  const { app, gateway } = await start(proxy.url, { DATABASE_TIMEOUT_SECONDS: '1' });
  const codes: unknown[] = [];
  const client = app.wsClient({
    ...retryOptions,
    retryWait: async () => {
      if (codes.length === 2) proxy.accept();
    },
    on: { closed: (event) => codes.push((event as { code: number }).code) },
  });
  proxy.refuse();
  const streaming = toEnd(streamChat(client, { input: ask('Hello') }));
  (await gateway.exchange(0)).send(...words('a'), '[DONE]');
  expect(foldedText(await streaming)).toBe('a');
  expect(codes).toEqual([1013, 1013]);
  expect(gateway.requests).toHaveLength(1);
});

describe('a database that stays away', () => {
  const limits = { DATABASE_TIMEOUT_SECONDS: '3' };
  const unavailable = (retry: string) => [{ extensions: { code: 'RECORDS_UNAVAILABLE', retry } }];
  const create = `mutation { createChatCompletion(
    input: { model: "m", messages: [{ role: USER, content: { text: "x" } }] }, idempotencyKey: "k"
  ) { __typename } }`;

  test.each(['refuses', 'freezes'] as const)(
    'does not delay a query of a chat that runs here, with its text so far: it %s',
    async (how) => {
      const url = await createDatabase();
      const [refusing, freezing] = [await startTcpProxy(url), await startFreezingProxy(url)];
      const { app, gateway } = await start(how === 'refuses' ? refusing.url : freezing.url, limits);
      const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'k' });
      const exchange = await gateway.exchange(0);
      exchange.accept();
      const { id } = made(await starting);
      const events = chatEvents(app.wsClient(), { id });
      await nextEvent(events);
      if (how === 'refuses') refusing.refuse();
      else freezing.freeze();
      exchange.send(...words('one ', 'two'));
      while ((await nextEvent(events)).sequence !== 2);
      // A read that needs the records waits until their limit.
      const waiting = app.run(list).then(() => 'the limit of the records');
      const running = { id, status: 'RUNNING', output: { sequence: 2 } };
      const byKey = app.run('{ generation(by: { idempotencyKey: "k" }) { id prompt } }');
      const both = Promise.all([findGeneration(app, id), byKey]);
      expect(await Promise.race([both, waiting])).toMatchObject([
        running,
        { data: { generation: { id, prompt: 'Hello' } } },
      ]);
      refusing.accept();
      freezing.thaw();
    },
  );

  test.each(['refuses', 'freezes'] as const)(
    'fails reads and creates at the limit, not after it: it %s',
    async (how) => {
      const url = await createDatabase();
      const [refusing, freezing] = [await startTcpProxy(url), await startFreezingProxy(url)];
      const { app, gateway } = await start(how === 'refuses' ? refusing.url : freezing.url, limits);
      await app.run(list);
      if (how === 'refuses') refusing.refuse();
      else freezing.freeze();
      const startedAt = performance.now();
      // More than the pool has connections, and several of one owner.
      const documents = Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0 ? list : create.replace('"k"', `"k${index}"`),
      );
      // As many answers that need no records, at the limit: the load of the machine delays them too.
      const live = new URL('/health/live', app.url);
      const limitMs = wait(3000)
        .then(() => Promise.all(documents.map(async () => (await fetch(live)).text())))
        .then(() => performance.now() - startedAt);
      const times = await Promise.all(
        documents.map(async (document) => {
          const { errors } = await app.run(document);
          expect(errors).toMatchObject(unavailable(document === list ? 'LATER' : 'SAME_KEY'));
          return performance.now() - startedAt;
        }),
      );
      expect(Math.min(...times)).toBeGreaterThan(2500);
      // Not even one more attempt follows.
      expect(Math.max(...times) - (await limitMs)).toBeLessThan(900);
      expect(gateway.requests).toHaveLength(0);
      refusing.accept();
      freezing.thaw();
      const creating = createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'next' });
      (await gateway.exchange(0)).reply(200, { choices: [{ message: { content: 'Hi' } }] });
      expect(made(await creating).status).toBe('SUCCEEDED');
    },
  );
});
