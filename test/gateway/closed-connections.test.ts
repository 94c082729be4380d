import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

test('a create is not lost on a connection that the gateway closed while the process was paused before it sent it', async () => {
  let closeConnection = (): void => {};
  const gateway = await startFakeGateway((request, response) => {
    closeConnection = () => request.socket.destroy();
    sendJson(response, { choices: [{ message: { content: 'Hi!' } }] });
  });
  const wrapStore = (store: Store): Store => ({
    ...store,
    async claim(...args) {
      const holder = await store.claim(...args);
      // As a sync of the disk ends: among what the event loop has polled. It polls the connection again only later.
      await stat('.');
      closeConnection();
      return holder;
    },
  });
  await using api = await startApp({ gatewayUrl: gateway.url, overrides: { wrapStore } });
  for (const text of ['first', 'second'])
    expect(made(await createChatCompletion(api, { input: ask(text) })).status).toBe('SUCCEEDED');
  expect(gateway.requests).toHaveLength(2);
});
