import { expect, onTestFinished, test } from 'vitest';
import { createGengraph, createStorage } from '../../src/client/gengraph.ts';
import { ask } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

test('inputs that differ in two neighboring characters are two requests', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox', storage: createStorage() });
  onTestFinished(() => gengraph.dispose());
  const replies: string[] = [];
  const read = async (text: string): Promise<void> => {
    for await (const { text: reply, error, isEnded } of gengraph.chat(ask(text)))
      if (isEnded) replies.push(error?.code ?? reply);
  };
  const first = read('Compare unit 1a with 2C');
  const second = read('Compare unit 2B with 2C');
  for (const index of [0, 1]) (await gateway.exchange(index)).send(...words('done'), '[DONE]');
  await Promise.all([first, second]);
  expect(replies).toEqual(['done', 'done']);
});
