import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { AppOverrides } from '../../src/app.ts';
import { GenerationsDocument } from '../../src/client/documents.generated.ts';
import { retryOptions } from '../../src/client/reconnecting.ts';
import { apiAt } from '../support/app.ts';
import {
  ask,
  type ChatEvent,
  createChatCompletion,
  made,
  nextEvent,
  startChatQuery,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createDirectory } from '../support/durable-server.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const lockWaitMs = 1000;
const reply = { choices: [{ message: { content: 'a' } }] };

/** A server with one recorded generation, and another tool that can lock its records. */
async function start(overrides: AppOverrides = { lockWaitMs }) {
  const directory = await createDirectory();
  const scripted = await startScripted({ env: { DATA_DIR: directory }, overrides });
  onTestFinished(() => scripted[Symbol.asyncDispose]());
  const { app, gateway } = scripted;
  const creating = createChatCompletion(app, { input: ask('Hello') });
  (await gateway.exchange(0)).reply(200, reply);
  const { id } = made(await creating);
  const tool = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => tool.close());
  return { app, gateway, id, tool };
}

const variablesOf = (key: string) => ({ input: ask('Hello'), idempotencyKey: key });

test('while another tool holds the write lock, lists are answered and creates end together, unsent', async () => {
  const { app, gateway, id, tool } = await start();
  tool.exec('begin immediate');
  const startedAt = performance.now();
  let refusals = 0;
  const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
  const creating = keys.map(async (key) => {
    const { errors } = await app.run(startChatQuery, variablesOf(key));
    refusals += 1;
    return errors?.[0];
  });
  const { data } = await app.run(GenerationsDocument, { first: 1 });
  expect(data?.generations?.edges.map(({ node }) => node.id)).toEqual([id]);
  expect(refusals).toBe(0);
  for (const refusal of await Promise.all(creating))
    expect(refusal).toMatchObject({
      message: expect.stringMatching(
        /^The server cannot read or write its records now\. Unknown whether it was charged\./,
      ),
      extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'SAME_KEY' },
    });
  // Each create waits once for the lock, all at the same time.
  expect(performance.now() - startedAt).toBeLessThan(keys.length * lockWaitMs);
  tool.exec('rollback');
  const again = createChatCompletion(app, { ...variablesOf('k0'), input: ask('Bye') });
  (await gateway.exchange(1)).reply(200, reply);
  made(await again);
  expect(gateway.requests).toHaveLength(2);
});

test('while another tool holds the write lock, a chat is served from memory and another create comes back by itself', async () => {
  const { app, gateway, tool } = await start();
  const proxy = await startTcpProxy(app.url);
  const client = apiAt(proxy.url).wsClient({ ...retryOptions, retryWait: async () => {} });
  const running = streamChat(client, { input: ask('Hello') });
  const first = nextEvent(running);
  const exchange = await gateway.exchange(1);
  exchange.send(...words('one '));
  await first;
  tool.exec('begin immediate');
  proxy.cut();
  exchange.send(...words('two'));
  const seen: ChatEvent[] = [];
  while (foldedText(seen) !== 'one two') seen.push(await nextEvent(running));
  const codes: unknown[] = [];
  const other = app.wsClient({
    ...retryOptions,
    retryWait: async () => {
      if (codes.length === 2) tool.exec('rollback');
    },
    on: { closed: (event) => codes.push((event as { code: number }).code) },
  });
  const created = toEnd(streamChat(other, { input: ask('Bye') }));
  (await gateway.exchange(2)).send(...words('three'), '[DONE]');
  expect(foldedText(await created)).toBe('three');
  expect(codes).toEqual([1013, 1013]);
  exchange.send('[DONE]');
  expect((await toEnd(running)).at(-1)?.__typename).toBe('ChatCompleted');
  expect(gateway.requests).toHaveLength(3);
});

test('a create waits for a lock that is released in time', async () => {
  const { app, gateway, tool } = await start();
  tool.exec('begin immediate');
  const creating = createChatCompletion(app, variablesOf('k'));
  // The list is answered after the create has begun to wait.
  await app.run(GenerationsDocument, { first: 1 });
  tool.exec('rollback');
  (await gateway.exchange(1)).reply(200, reply);
  expect(made(await creating).status).toBe('SUCCEEDED');
});

test('while another tool holds the write lock, readiness fails long before the lock does', async () => {
  const { app, tool } = await start({});
  const check = (path: string) => fetch(`${app.app.url}${path}`);
  tool.exec('begin immediate');
  const startedAt = performance.now();
  const probes = await Promise.all([check('/health/ready'), check('/health/ready'), check('/health/live')]);
  expect(performance.now() - startedAt).toBeLessThan(8000);
  expect(probes.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(await probes[0].json()).toEqual({ status: 'not ready', obstacle: 'records' });
  expect((await check('/health/ready')).status).toBe(503);
  expect(performance.now() - startedAt).toBeLessThan(9000);
  tool.exec('rollback');
  await expect.poll(async () => (await check('/health/ready')).status).toBe(200);
});
