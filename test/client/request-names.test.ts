import { expect, onTestFinished, test } from 'vitest';
import { music } from '../../src/capabilities/music/index.ts';
import { type Chat, type ChatView, createGengraph, createStorage } from '../../src/client/gengraph.ts';
import { createSchema } from '../../src/schema.ts';
import { startApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

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

test('a chat without an id whose user was signed out is the same generation after the next sign-in', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const proxy = await startTcpProxy(app.url);
  const storage = createStorage();
  let token: string | null = 'sk-sandbox';
  const follow = (url: string) => {
    const gengraph = createGengraph({ url, credential: () => token, storage });
    onTestFinished(() => gengraph.dispose());
    const views: ChatView[] = [];
    const ended = (async () => {
      for await (const view of gengraph.chat(ask('Hello'))) views.push(view);
      return views.at(-1);
    })();
    return { views, ended };
  };
  const first = follow(proxy.url);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  await expect.poll(() => first.views.at(-1)?.text).toBe('one ');
  token = null;
  proxy.cut();
  expect(await first.ended).toMatchObject({ text: 'one ', error: { retry: 'AUTHENTICATE' } });
  token = 'sk-sandbox';
  const again = follow(app.url);
  await expect.poll(() => again.views.at(-1)?.text).toBe('one ');
  exchange.send(...words('two'), '[DONE]');
  expect(await again.ended).toMatchObject({ text: 'one two', status: 'completed' });
  expect(gateway.requests).toHaveLength(1);
});

test('a request without an id keeps its key when a server of another version refuses to repeat it', async () => {
  await using scripted = await startScripted({});
  const { app, gateway } = scripted;
  await using other = await startApp({ overrides: { schema: createSchema([music]) } });
  const storage = createStorage();
  const open = (url: string) => {
    const gengraph = createGengraph({ url, credential: 'sk-sandbox', storage });
    onTestFinished(() => gengraph.dispose());
    return gengraph;
  };
  const toEnd = async (chat: Chat): Promise<ChatView | undefined> => {
    let last: ChatView | undefined;
    for await (const view of chat) last = view;
    return last;
  };
  const left = open(app.url);
  const sent = left.chat(ask('Hello'));
  const ended = toEnd(sent);
  const exchange = await gateway.exchange(0);
  await left.dispose();
  await ended;
  expect(await toEnd(open(other.url).chat(ask('Hello')))).toMatchObject({
    error: { code: 'GRAPHQL_VALIDATION_FAILED', retry: 'FIX_INPUT' },
  });
  const again = open(app.url).chat(ask('Hello'));
  expect(again.key).toBe(sent.key);
  exchange.send(...words('one'), '[DONE]');
  expect(await toEnd(again)).toMatchObject({ text: 'one', status: 'completed' });
  expect(gateway.requests).toHaveLength(1);
});

test('tabs that share a storage see what another one writes and removes, and memory holds what the storage refuses', () => {
  const items = new Map<string, string>();
  let isFull = false;
  const shared = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, value: string) {
      if (isFull) throw new Error('full');
      items.set(name, value);
    },
    removeItem: (name: string) => void items.delete(name),
  };
  const tab = createStorage(shared);
  const other = createStorage(shared);
  tab.setItem('request', 'key 1');
  other.setItem('request', 'key 1');
  // It has ended, and the user sends the same again.
  tab.removeItem('request');
  expect(other.getItem('request')).toBeNull();
  tab.setItem('request', 'key 2');
  expect(other.getItem('request')).toBe('key 2');
  isFull = true;
  tab.setItem('request', 'key 3');
  expect([tab.getItem('request'), other.getItem('request')]).toEqual(['key 3', 'key 2']);
});

test('a request without an id whose end nobody saw is the same generation once more, and then another', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox', storage: createStorage() });
  onTestFinished(() => gengraph.dispose());
  const read = async (): Promise<string> => {
    let last = '';
    for await (const { text } of gengraph.chat(ask('Hello'))) last = text;
    return last;
  };
  for await (const { id } of gengraph.chat(ask('Hello'))) if (id !== null) break;
  (await gateway.exchange(0)).send(...words('first'), '[DONE]');
  expect(await read()).toBe('first');
  const another = read();
  (await gateway.exchange(1)).send(...words('second'), '[DONE]');
  expect(await another).toBe('second');
});
