import { expect, test } from 'vitest';
import { ask, cancelGeneration, made, startChat } from '../support/chats.ts';
import { createHeldMethod } from '../support/held-method.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

test('a chat that is canceled while it waits for a connection to the gateway keeps its key', async () => {
  await using scripted = await startScripted({
    env: { GATEWAY_CONNECTIONS: '1', CHAT_ACCEPT_SECONDS: '0.05' },
  });
  const { app, gateway } = scripted;
  const first = startChat(app, { input: ask('one') });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  made(await first);
  const waiting = { input: ask('two'), idempotencyKey: 'k' };
  const { id } = made(await startChat(app, waiting));
  expect(made(await cancelGeneration(app, { id }))).toMatchObject({ status: 'CANCELED' });
  expect(made(await startChat(app, waiting))).toMatchObject({ id, status: 'CANCELED' });
  exchange.send('[DONE]');
  expect(gateway.requests).toHaveLength(1);
});

test('a chat that is canceled while its create is being recorded is not sent, and its key returns it', async () => {
  const { wrapStore, called, release } = createHeldMethod('markSending');
  await using scripted = await startScripted({ overrides: { wrapStore } });
  const { app, gateway } = scripted;
  const request = { input: ask('Hello'), idempotencyKey: 'k' };
  const starting = startChat(app, request);
  await called;
  const { id } = made(await cancelGeneration(app, { idempotencyKey: 'k' }));
  release();
  for (const created of [await starting, await startChat(app, request)])
    expect(made(created)).toMatchObject({ id, status: 'CANCELED', error: null });
  expect(gateway.requests).toHaveLength(0);
});
