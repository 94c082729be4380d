import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  createGengraph,
  type ChatView,
  type GengraphOptions,
  isRepeatable,
} from '../../src/client/gengraph.ts';
import { startApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { musicTask, startFakeMusic } from '../support/fake-music.ts';
import { chunk, startScripted, words } from '../support/scripted-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** A page's session storage. */
function createStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

function connect(url: string, options: Partial<GengraphOptions> = {}) {
  const gengraph = createGengraph({ url, credential: 'sk-sandbox', storage: createStorage(), ...options });
  onTestFinished(() => gengraph.dispose());
  return gengraph;
}

async function toEnd<View>(views: AsyncIterable<View>): Promise<View> {
  let last: View | undefined;
  for await (const view of views) last = view;
  if (last === undefined) throw new Error('no view');
  return last;
}

/** Reads until a view has this text, and leaves. */
async function readUntil(views: AsyncIterable<ChatView>, text: string): Promise<ChatView> {
  for await (const view of views) if (view.text === text) return view;
  throw new Error(`never: ${text}`);
}

describe('chat', () => {
  test('has text, reasoning, tool calls, finish reason and usage, and ends once', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const ending = toEnd(connect(app.url).chat(ask('Hello')));
    const exchange = await gateway.exchange(0);
    exchange.send(
      chunk({ reasoning_content: 'hm' }),
      ...words('He', 'llo'),
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'weather', arguments: '{"a"' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      '[DONE]',
    );
    expect(await ending).toMatchObject({
      status: 'completed',
      isEnded: true,
      text: 'Hello',
      reasoning: 'hm',
      toolCalls: [{ index: 0, id: 'c', name: 'weather', arguments: '{"a":1}' }],
      finishReason: 'tool_calls',
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      error: null,
    });
  });

  test('has the images of the reply at its end', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const ending = toEnd(connect(app.url).chat(ask('Paint')));
    const exchange = await gateway.exchange(0);
    const url = 'https://images.example/1.png';
    exchange.send(...words('Here'), chunk({ images: [{ image_url: { url } }] }, 'stop'), '[DONE]');
    expect(await ending).toMatchObject({ text: 'Here', assets: [{ kind: 'IMAGE', url, base64: null }] });
  });

  test('has the issues of a refused input as a value', async () => {
    await using app = await startApp();
    const view = await toEnd(connect(app.url).chat(ask('Hello', { temperature: 9 })));
    expect(view).toMatchObject({ id: null, status: 'failed', isEnded: true, error: { retry: 'FIX_INPUT' } });
    expect(view.issues.map(({ path }) => path.join('.'))).toEqual(['input.temperature']);
    expect(isRepeatable(view.error)).toBe(false);
  });

  test('has a refused credential as a value', async () => {
    await using app = await startApp();
    const view = await toEnd(connect(app.url, { credential: 'sk-wrong' }).chat(ask('Hello')));
    expect(view).toMatchObject({ status: 'failed', isEnded: true, error: { retry: 'AUTHENTICATE' } });
  });

  test('goes on after a connection that breaks, without loss or repetition', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const proxy = await startTcpProxy(app.url);
    const gengraph = connect(proxy.url);
    const chat = gengraph.chat(ask('Hello'));
    const ending = toEnd(chat);
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one '));
    await readUntil(chat, 'one ');
    proxy.cut();
    exchange.send(...words('two'), '[DONE]');
    expect((await ending).text).toBe('one two');
    expect(gateway.requests).toHaveLength(1);
  });

  test('is one generation for a double click, a remounted component and a page that reloads', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const storage = createStorage();
    const page = connect(app.url, { storage });
    const views = page.chat(ask('Hello'))[Symbol.asyncIterator]();
    const first = views.next();
    const double = toEnd(page.chat(ask('Hello')));
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one '));
    await first;
    await views.return?.();
    await page.dispose();
    expect(await double).toMatchObject({ id: expect.any(String), error: { retry: 'SAME_KEY' } });
    const reloaded = toEnd(connect(app.url, { storage }).chat(ask('Hello')));
    exchange.send(...words('two'), '[DONE]');
    expect((await reloaded).text).toBe('one two');
    expect(gateway.requests).toHaveLength(1);
    expect(storage.items.size).toBe(0);
  });

  test('with an id is the same generation after its end, and another one for the next attempt', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const storage = createStorage();
    const send = (options: object) => toEnd(connect(app.url, { storage }).chat(ask('Hello'), options));
    const answer = async (index: number, text: string) =>
      (await gateway.exchange(index)).send(...words(text), '[DONE]');
    const [first] = await Promise.all([send({ id: 'm1' }), answer(0, 'a')]);
    expect((await send({ id: 'm1' })).id).toBe(first.id);
    const [again] = await Promise.all([send({ id: 'm1', attempt: 1 }), answer(1, 'b')]);
    const [other] = await Promise.all([send({ id: 'm2' }), answer(2, 'c')]);
    expect([first.text, again.text, other.text]).toEqual(['a', 'b', 'c']);
    expect(gateway.requests).toHaveLength(3);
  });

  test('with an id is the same generation when its key is forgotten', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const storage = createStorage();
    const send = () => connect(app.url, { storage }).chat(ask('Hello'), { id: 'm1' });
    const ending = toEnd(send());
    (await gateway.exchange(0)).send(...words('a'), '[DONE]');
    const { id } = await ending;
    storage.removeItem('gengraph:chat:m1:0');
    expect(await toEnd(send())).toMatchObject({ id, text: 'a', status: 'completed' });
    expect(await send().stop()).toMatchObject({ id, text: 'a', status: 'completed' });
    expect(gateway.requests).toHaveLength(1);
  });

  test('without an id is another generation once it has ended', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const gengraph = connect(app.url);
    for (const [index, text] of ['a', 'b'].entries()) {
      const ending = toEnd(gengraph.chat(ask('Hello')));
      (await gateway.exchange(index)).send(...words(text), '[DONE]');
      expect((await ending).text).toBe(text);
    }
  });

  test('stop cancels at the gateway and returns what was kept; leaving does not', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const gengraph = connect(app.url);
    const chat = gengraph.chat(ask('Hello'));
    const reading = readUntil(chat, 'one ');
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one '));
    const { id } = await reading;
    // The loop was left, and the chat goes on.
    exchange.send(...words('two'));
    await readUntil(gengraph.follow(id ?? ''), 'one two');
    expect(await chat.stop()).toMatchObject({ id, status: 'canceled', text: 'one two', isEnded: true });
    await exchange.closed;
  });

  test('stops before the gateway has accepted it', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const chat = connect(app.url).chat(ask('Hello'));
    const ending = toEnd(chat);
    const exchange = await gateway.exchange(0);
    expect(await chat.stop()).toMatchObject({ status: 'canceled', text: '' });
    await exchange.closed;
    expect((await ending).isEnded).toBe(true);
  });

  test('an aborted signal ends the loop, not the chat', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const gengraph = connect(app.url);
    const controller = new AbortController();
    const chat = gengraph.chat(ask('Hello'), { signal: controller.signal });
    let id: string | null = null;
    const reading = (async () => {
      for await (const view of chat) ({ id } = view);
    })();
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one'));
    await expect.poll(() => id).not.toBeNull();
    controller.abort();
    await reading;
    exchange.send('[DONE]');
    expect(await toEnd(gengraph.follow(id ?? ''))).toMatchObject({ status: 'completed', text: 'one' });
  });
});

describe('running', () => {
  test('returns what a reload has left running, by collection', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const views = connect(app.url).chat(ask('Hello'), { collection: 'c1' })[Symbol.asyncIterator]();
    const first = views.next();
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one'));
    const id = (await first).value?.id;
    await views.return?.();
    const reloaded = connect(app.url);
    expect((await reloaded.running('c1')).value?.map((each) => each.id)).toEqual([id]);
    expect((await reloaded.running('c2')).value).toEqual([]);
    exchange.send('[DONE]');
    await toEnd(reloaded.follow(id ?? ''));
    expect((await reloaded.running('c1')).value).toEqual([]);
  });

  test('has a task whose status word is not known', async () => {
    const music = await startFakeMusic({
      answer: (ids) => ({ body: { code: 'success', data: ids.map((id) => musicTask(id, 'DREAMING')) } }),
    });
    await using app = await startApp({ gatewayUrl: music.url });
    const gengraph = connect(app.url);
    const song = gengraph.generate('createSong', { description: 'A waltz', model: 'SONG_V5' });
    for await (const { status } of song) if (status === 'UNKNOWN') break;
    expect((await gengraph.running()).value).toMatchObject([{ kind: 'SONG', status: 'UNKNOWN' }]);
  });
});

describe('generate', () => {
  test('follows a task to its files', async () => {
    await using app = await startApp();
    const gengraph = connect(app.url);
    const view = await toEnd(gengraph.generate('queueImage', { prompt: 'a fox' }));
    expect(view).toMatchObject({ status: 'SUCCEEDED', isEnded: true, error: null });
    expect(view.assets[0]).toMatchObject({ kind: 'IMAGE', role: 'PRIMARY' });
  });

  test('has the issues of a refused input as a value', async () => {
    await using app = await startApp();
    const view = await toEnd(connect(app.url).generate('queueImage', { prompt: '' }));
    expect(view).toMatchObject({
      id: null,
      status: 'FAILED',
      isEnded: true,
      error: { code: 'INVALID_INPUT' },
    });
    expect(view.error?.issues).toHaveLength(1);
  });

  test('says at once that work cannot be stopped, and goes on with it', async () => {
    const music = await startFakeMusic();
    await using app = await startApp({ gatewayUrl: music.url });
    const song = connect(app.url).generate('createSong', { description: 'A waltz', model: 'SONG_V5' });
    const views = song[Symbol.asyncIterator]();
    const { value: view } = await views.next();
    expect(view).toMatchObject({ isCancelable: false, isEnded: false });
    expect(await song.stop()).toMatchObject({
      id: view?.id,
      status: view?.status,
      isEnded: false,
      error: { code: 'NOT_CANCELABLE', retry: 'NEVER' },
    });
    await views.return?.();
  });
});

/** Errors without the advice that every error of Gengraph has. */
const routerErrors = [{ message: 'Unexpected error.', extensions: { code: 'SUBGRAPH_GONE' } }];

/**
 * A server that answers each subscription with the next list of events, and completes it. Errors end a list instead. All
 * subscriptions after the lists get errors.
 */
async function startScriptedServer(replies: readonly (readonly object[])[]) {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: ([first]) => first ?? false,
  });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  let subscriptions = 0;
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString()) as { readonly type: string; readonly id?: string };
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
      if (type !== 'subscribe') return;
      const events = replies[subscriptions] ?? [routerErrors];
      subscriptions += 1;
      for (const event of events)
        socket.send(
          JSON.stringify(
            event === routerErrors
              ? { id, type: 'error', payload: event }
              : { id, type: 'next', payload: { data: { chatEvents: event } } },
          ),
        );
      if (!events.includes(routerErrors)) socket.send(JSON.stringify({ id, type: 'complete' }));
    }),
  );
  return {
    // The address of a TCP server.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    get subscriptions() {
      return subscriptions;
    },
  };
}

const message = (content: string) => ({
  index: 0,
  message: { content, reasoningContent: null, refusal: null, toolCalls: null },
  finishReason: null,
});
const at = (sequence: number) => ({ generationId: 'g', sequence });
const snapshot = (sequence: number, content: string) => ({
  __typename: 'ChatSnapshot',
  ...at(sequence),
  soFar: { choices: [message(content)] },
});
const delta = (sequence: number, content: string) => ({
  __typename: 'ChatDelta',
  ...at(sequence),
  fromSequence: sequence,
  choices: [{ ...message(content).message, index: 0, content, finishReason: null }],
});
const completed = (sequence: number) => ({ __typename: 'ChatCompleted', ...at(sequence), generation: null });

test('follow heals a lost event, a completion without an end and a lost last delta, and ends once', async () => {
  const server = await startScriptedServer([
    [snapshot(1, 'a'), delta(3, 'c')],
    [snapshot(3, 'abc')],
    [snapshot(3, 'abc'), completed(4)],
    [snapshot(4, 'abcd'), completed(4)],
  ]);
  const seen: ChatView[] = [];
  for await (const view of connect(server.url).follow('g')) seen.push(view);
  expect(seen.at(-1)).toMatchObject({ text: 'abcd', status: 'completed', isBroken: false });
  expect(seen.filter(({ isEnded }) => isEnded)).toHaveLength(1);
  expect(seen.every(({ text }) => 'abcd'.startsWith(text))).toBe(true);
  expect(server.subscriptions).toBe(4);
});

test('follow goes on after an error of a router, which says nothing about its chat', async () => {
  const server = await startScriptedServer([
    [snapshot(1, 'a'), routerErrors],
    [routerErrors],
    [snapshot(1, 'a'), delta(2, 'b'), completed(2)],
  ]);
  const seen: ChatView[] = [];
  for await (const view of connect(server.url).follow('g')) seen.push(view);
  expect(seen.at(-1)).toMatchObject({ text: 'ab', status: 'completed', error: null });
  expect(server.subscriptions).toBe(3);
});

test('follow shows the error of a router that repeats it for half a minute', async () => {
  const server = await startScriptedServer([[snapshot(1, 'a'), routerErrors]]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const seen: ChatView[] = [];
  const reading = (async () => {
    for await (const view of connect(server.url).follow('g')) seen.push(view);
  })();
  let isOver = false;
  void reading.then(() => (isOver = true));
  while (!isOver) {
    vi.advanceTimersByTime(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(seen.at(-1)).toMatchObject({ text: 'a', status: 'failed', error: { code: 'SUBGRAPH_GONE' } });
  expect(server.subscriptions).toBe(11);
});
