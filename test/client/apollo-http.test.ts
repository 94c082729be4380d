import { ApolloClient } from '@apollo/client';
import { expect, onTestFinished, test } from 'vitest';
import { createApolloCache, createApolloHttpLink } from '../../src/client/apollo/index.ts';
import { StreamChatDocument } from '../../src/client/documents.generated.ts';
import { sandboxKey } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

function startChat(urls: string[], heartbeatTimeout: number) {
  const last = urls.at(-1);
  const link = createApolloHttpLink({
    uri: () => urls.shift() ?? last ?? '',
    headers: { ...sandboxKey },
    heartbeatTimeout,
  });
  const client = new ApolloClient({ link, cache: createApolloCache() });
  onTestFinished(() => client.stop());
  const texts: string[] = [];
  const ended = new Promise<void>((complete, error) => {
    const variables = { input: ask('Hello'), idempotencyKey: 'once' };
    client.subscribe({ query: StreamChatDocument, variables, errorPolicy: 'all' }).subscribe({
      next({ data, error: refused }) {
        if (refused) error(refused);
        texts.push(data?.streamChat.soFar.choices[0]?.message.content ?? '');
      },
      error,
      complete,
    });
  });
  return { texts, ended };
}

test('over HTTP alone, a chat goes on when its connection, and the next one, die without closing', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const path = '/graphql';
  const [first, dead] = [await startFreezingProxy(app.url), await startFreezingProxy(app.url)];
  dead.freeze();
  const urls = [first, dead].map(({ url }) => new URL(path, url).href);
  const { texts, ended } = startChat([...urls, new URL(path, app.url).href], 500);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  await expect.poll(() => texts.at(-1)).toBe('one ');
  first.freeze();
  exchange.send(...words('two'), '[DONE]');
  await ended;
  expect(texts.at(-1)).toBe('one two');
  expect(gateway.requests).toHaveLength(1);
});

test('over HTTP alone, a refusal ends the chat at once', async () => {
  await using scripted = await startScripted();
  const { ended } = startChat([new URL('/graphql/none', scripted.app.url).href], 60_000);
  await expect(ended).rejects.toMatchObject({ name: 'ServerError' });
});
