import { expect, onTestFinished, test } from 'vitest';
import {
  type ChatView,
  createGengraph,
  createStorage,
  type Gengraph,
  isRepeatable,
} from '../../src/client/gengraph.ts';
import { ask } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

async function toEnd(views: AsyncIterable<ChatView>): Promise<ChatView> {
  let last: ChatView | undefined;
  for await (const view of views) last = view;
  if (last === undefined) throw new Error('no view');
  return last;
}

async function findRunning(gengraph: Gengraph): Promise<number | undefined> {
  return (await gengraph.running()).value?.length;
}

const busy = { error: { message: 'busy', type: 'rate_limit_error' } };

test.each([
  ['with an id', { id: 'm1' }],
  ['without an id', {}],
])('a chat %s that the gateway refuses late is sent again by the next loop', async (_name, options) => {
  await using scripted = await startScripted({ env: { CHAT_ACCEPT_SECONDS: '0.05' } });
  const { app, gateway } = scripted;
  const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox', storage: createStorage() });
  onTestFinished(() => gengraph.dispose());
  const chat = gengraph.chat(ask('Hello'), options);
  const ending = toEnd(chat);
  const exchange = await gateway.exchange(0);
  // The server has answered before the gateway.
  await expect.poll(() => findRunning(gengraph)).toBe(1);
  exchange.reply(429, busy);
  const refused = await ending;
  expect(refused).toMatchObject({ status: 'failed', error: { retry: 'LATER' } });
  expect(isRepeatable(refused.error)).toBe(true);
  // A stop sends nothing.
  expect(await chat.stop()).toMatchObject({ status: 'failed' });
  expect(gateway.requests).toHaveLength(1);
  // Its advice: the same request again, with the same key.
  const again = toEnd(chat);
  (await gateway.exchange(1)).send(...words('a'), '[DONE]');
  expect(await again).toMatchObject({ status: 'completed', text: 'a' });
  expect(gateway.requests).toHaveLength(2);
});
