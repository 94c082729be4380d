import { expect, test } from 'vitest';
import type { GengraphMessage } from '../../src/client/ai-sdk/index.ts';
import { openChatPage } from '../support/node-chat.ts';
import { chunk, startScripted, words } from '../support/scripted-gateway.ts';

test('a message whose stream was canceled can be regenerated', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const { transport } = openChatPage(app.url);
  const messages: GengraphMessage[] = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'a' }] }];
  const send = (trigger: 'submit-message' | 'regenerate-message') =>
    transport.sendMessages({
      trigger,
      chatId: 'trip',
      messageId: undefined,
      messages,
      abortSignal: undefined,
    });
  const reader = (await send('submit-message')).getReader();
  const reading = reader.read();
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one'));
  expect((await reading).value).toMatchObject({ type: 'start' });
  await reader.cancel();
  exchange.send(chunk({}, 'stop'), '[DONE]');
  await expect
    .poll(async () => (await transport.loadMessages('trip')).at(-1)?.metadata?.status)
    .toBe('completed');
  const again = (await send('regenerate-message')).getReader();
  void again.read();
  await expect.poll(() => gateway.requests.length).toBe(2);
  await again.cancel();
});
