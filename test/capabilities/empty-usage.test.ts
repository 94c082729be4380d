import { expect, test } from 'vitest';
import { startAnswering } from '../support/answering-gateway.ts';
import { ask, createChatCompletion, streamChat, toEnd } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const totals = '{ usageTotals { generations withUsage totalTokens } }';

test('a reply with an empty usage reports none', async () => {
  await using gateway = await startAnswering({ choices: [{ message: { content: 'Hello' } }], usage: {} });
  await createChatCompletion(gateway.app, { input: ask('Hi') });
  expect((await gateway.app.run(totals)).data).toEqual({
    usageTotals: [{ generations: 1, withUsage: 0, totalTokens: 0 }],
  });
});

test('an empty usage in a later chunk does not replace the reported one', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const ended = toEnd(streamChat(app.wsClient(), { input: ask('Hi') }));
  const exchange = await gateway.exchange(0);
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  exchange.send(...words('Hello'), { choices: [], usage }, { choices: [], usage: {} }, '[DONE]');
  await ended;
  expect((await app.run(totals)).data).toEqual({
    usageTotals: [{ generations: 1, withUsage: 1, totalTokens: 7 }],
  });
});
