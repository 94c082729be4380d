import { describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made, refused, startChat } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

async function startTwo() {
  const directory = await createDirectory();
  const gateway = await startScriptedGateway();
  const start = async (): Promise<TestApp> => {
    const app = await startApp({ gatewayUrl: gateway.url, env: { DATA_DIR: directory } });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  return { gateway, first: await start(), second: await start() };
}

describe('two servers on the same records', () => {
  test('send one request for twins that come to both, and both answer with what it made', async () => {
    const { gateway, first, second } = await startTwo();
    const twins = [first, second, first, second].map((app) => createChatCompletion(app, hello));
    const exchange = await gateway.exchange(0);
    exchange.reply(200, { choices: [{ message: { content: 'a' } }] });
    const ids = (await Promise.all(twins)).map((twin) => made(twin).id);
    expect(new Set(ids).size).toBe(1);
    expect(gateway.requests).toHaveLength(1);
  });

  test('know of a conflict, and of a key that is free again', async () => {
    const { gateway, first, second } = await startTwo();
    const creating = startChat(first, hello);
    const exchange = await gateway.exchange(0);
    const conflict = refused(await startChat(second, { ...hello, input: ask('Bye') }));
    expect(conflict.code).toBe('IDEMPOTENCY_CONFLICT');
    const waiting = startChat(second, hello);
    exchange.reply(429, { error: { message: 'slow down' } });
    expect(refused(await creating).code).toBe('RATE_LIMITED');
    // The refusal freed the key, so that the one that waited is sent.
    (await gateway.exchange(1)).send(...words('a'), '[DONE]');
    made(await waiting);
    expect(gateway.requests).toHaveLength(2);
  });
});
