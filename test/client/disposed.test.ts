import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  type ChatView,
  createGengraph,
  type FeedView,
  type GengraphOptions,
  isRepeatable,
} from '../../src/client/gengraph.ts';
import { startApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

/** A client, and the connections that it has opened. */
function connect(url: string, credential: GengraphOptions['credential'] = 'sk-sandbox') {
  const opened: string[] = [];
  class Noted extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      opened.push(this.url);
    }
  }
  const gengraph = createGengraph({ url, credential, webSocketImpl: Noted });
  onTestFinished(() => gengraph.dispose());
  return { gengraph, opened };
}

const reason = 'The client was disposed.';

test('a disposed client ends its loops, and does not connect again', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const { gengraph, opened } = connect(app.url);
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
  expect(isRepeatable(last?.error)).toBe(true);
  expect(await listed).toMatchObject({ problem: { message: reason } });
  expect(gengraph.connection.current).toMatchObject({ status: 'closed', problem: { message: reason } });
  await expect(gengraph.client.iterate({ query: '{ __typename }' }).next()).rejects.toEqual({ reason });
  expect(opened).toHaveLength(1);
});

test('a disposed client ends a feed that waits after a problem', async () => {
  await using app = await startApp();
  const { gengraph } = connect(app.url);
  let last: FeedView | undefined;
  for await (const view of gengraph.feed({ models: Array.from({ length: 101 }, () => 'm') })) {
    last = view;
    if (view.problem?.code === 'LIMIT_EXCEEDED') await gengraph.dispose();
  }
  expect(last?.problem).toMatchObject({ message: reason });
});

test('a client that is disposed while it waits to connect does not connect, and asks for no credential', async () => {
  let credentials = 0;
  const { gengraph, opened } = connect('http://127.0.0.1:1/graphql', () => `sk-${(credentials += 1)}`);
  const running = gengraph.running();
  await expect.poll(() => gengraph.connection.current.status).toBe('reconnecting');
  const before = { opened: opened.length, credentials };
  await gengraph.dispose();
  expect(await running).toMatchObject({ problem: { message: reason } });
  expect(opened.slice(before.opened)).not.toContain('ws://127.0.0.1:1/graphql');
  expect(credentials).toBe(before.credentials);
  expect(gengraph.connection.current.status).toBe('closed');
});

test('a disposed client ends a feed whose credential was refused', async () => {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: () => 'graphql-transport-ws',
  });
  onTestFinished(() => server.close());
  server.on('connection', (socket) => socket.close(4403, 'Not you.'));
  await once(server, 'listening');
  const { gengraph } = connect(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let last: FeedView | undefined;
  for await (const view of gengraph.feed()) {
    last = view;
    if (view.problem?.message === 'Not you.') await gengraph.dispose();
  }
  expect(last?.problem).toMatchObject({ message: reason });
});

test('a disposed client ends a chat that waits as long as an error asks for', async () => {
  await using app = await startApp();
  const { gengraph } = connect(app.url);
  const message = 'Too many.';
  const extensions = { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 3600 };
  const errors = [{ message, extensions }] as never; // As a server sends them.
  const { client } = gengraph;
  const { subscribe } = client;
  const waiting = Promise.withResolvers<void>();
  Object.assign(client, {
    subscribe(...[, sink]: Parameters<typeof subscribe>) {
      sink.error(errors);
      setTimeout(waiting.resolve);
      return () => {};
    },
  });
  const ended = gengraph.follow('generation_1').next();
  await waiting.promise;
  await gengraph.dispose();
  expect((await ended).value).toMatchObject({ error: { message: reason } });
});
