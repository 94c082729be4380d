import { describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made, refused, startChat } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

async function startTwoServers() {
  const directory = await createDirectory();
  const gateway = await startScriptedGateway();
  const start = async (): Promise<TestApp> => {
    const app = await startApp({ gatewayUrl: gateway.url, env: { DATA_DIR: directory } });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  return { gateway, first: await start(), second: await start() };
}

describe('two servers that share records', () => {
  test('send one request for duplicates on both servers and return the same generation', async () => {
    const { gateway, first, second } = await startTwoServers();
    const duplicates = [first, second, first, second].map((app) => createChatCompletion(app, hello));
    const exchange = await gateway.exchange(0);
    exchange.reply(200, { choices: [{ message: { content: 'a' } }] });
    const ids = (await Promise.all(duplicates)).map((duplicate) => made(duplicate).id);
    expect(new Set(ids).size).toBe(1);
    expect(gateway.requests).toHaveLength(1);
  });

  test('see key conflicts and released keys of each other', async () => {
    const { gateway, first, second } = await startTwoServers();
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
});
