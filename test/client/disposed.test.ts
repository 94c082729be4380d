import { expect, test } from 'vitest';
import { type ChatView, createGengraph, type FeedView } from '../../src/client/gengraph.ts';
import { ask } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

test('a disposed client ends its loops, and does not connect again', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const opened: WebSocket[] = [];
  class Noted extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      opened.push(this);
    }
  }
  const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox', webSocketImpl: Noted });
  void gateway.exchange(0).then((exchange) => exchange.send(...words('one')));
  const listed = (async () => {
    let shown: FeedView | undefined;
    for await (shown of gengraph.feed());
    return shown;
  })();
  let last: ChatView | undefined;
  for await (const view of gengraph.chat(ask('Hello'))) {
    last = view;
    if (view.text === 'one') await gengraph.dispose();
  }
  expect(last).toMatchObject({ text: 'one', error: { code: 'CONNECTION_FAILED', retry: 'SAME_KEY' } });
  expect(await listed).toMatchObject({ problem: { message: 'The client was disposed.' } });
  expect(opened).toHaveLength(1);
});
