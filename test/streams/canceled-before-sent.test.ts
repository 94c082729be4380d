import { expect, test } from 'vitest';
import { ask, cancelGeneration, made, refused, startChat } from '../support/chats.ts';
import { createHeldClaim } from '../support/held-claim.ts';
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

test('a chat whose create is being recorded cannot be canceled yet, and then can', async () => {
  const { wrapStore, claimed, release } = createHeldClaim();
  await using scripted = await startScripted({ overrides: { wrapStore } });
  const { app, gateway } = scripted;
  const request = { input: ask('Hello'), idempotencyKey: 'k' };
  const starting = startChat(app, request);
  await claimed;
  const cancel = () => cancelGeneration(app, { idempotencyKey: 'k' });
  const { generation } = refused(await startChat(app, { ...request, input: ask('Other') }));
  for (const canceled of [await cancel(), await cancelGeneration(app, { id: generation?.id ?? '' })])
    expect(refused(canceled)).toMatchObject({ code: 'NOT_CANCELABLE', retry: 'LATER' });
  release();
  (await gateway.exchange(0)).send(...words('a'));
  const { id } = made(await starting);
  expect(made(await cancel())).toMatchObject({ id, status: 'CANCELED' });
});
