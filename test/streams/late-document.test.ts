import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, made, startChat } from '../support/chats.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { createRecords } from '../support/records.ts';

test('a server that stops while the gateway sends a late document keeps the key: the create may have been charged', async () => {
  const records = await createRecords('SQLite');
  const gateway = await startFakeGateway((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":"c1",');
  });
  const start = async () => {
    const env = { ...records.env, CHAT_ACCEPT_SECONDS: '0.05' };
    const app = await startApp({ gatewayUrl: gateway.url, env });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const variables = { input: ask('Hello'), idempotencyKey: 'k' };
  const first = await start();
  const { id } = made(await startChat(first, variables));
  await first.app.close();
  const again = made(await startChat(await start(), variables));
  expect(again).toMatchObject({ id, status: 'FAILED' });
  expect(gateway.requests).toHaveLength(1);
});
