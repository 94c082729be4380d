import { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type EventLoop, sliceMs, systemEventLoop } from '../../src/lib/fairness/slice.ts';
import { packId } from '../../src/lib/ids.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { takeTurns } from '../support/big-reply.ts';
import { ask, createChatCompletion, made, startChat } from '../support/chats.ts';
import { musicTask, startFakeMusic } from '../support/fake-music.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const watchers = 40;
/** In a slice whose every look at the time takes a millisecond. The end of an iteration may begin the next slice. */
const maxEvents = 2 * sliceMs.events;

function createCountedLoop(): EventLoop {
  let now = 0;
  return { ...systemEventLoop, now: () => (now += 1) };
}

/** Counts the events that the server writes, and the most of them in one iteration of the event loop. */
function countEvents() {
  const counts = { all: 0, most: 0 };
  let current = 0;
  const count = (data: unknown): void => {
    const text = data instanceof Uint8Array ? Buffer.from(data).toString() : String(data);
    if (!/"type":"next"|event: next/.test(text)) return;
    if (current === 0) setImmediate(() => (current = 0));
    current += 1;
    counts.all += 1;
    counts.most = Math.max(counts.most, current);
  };
  for (const [prototype, name] of [
    [WebSocket.prototype, 'send'],
    [ServerResponse.prototype, 'write'],
  ] as const) {
    const write: unknown = Reflect.get(prototype, name);
    if (typeof write !== 'function') throw new TypeError(name);
    Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
      count(args[0]);
      return Reflect.apply(write, this, args);
    });
    onTestFinished(() => void Reflect.set(prototype, name, write));
  }
  return counts;
}

/** Resolves when each watcher has an event with this text. */
type Received = (text: string) => Promise<void>;
type Watch = (app: TestApp, query: string) => Promise<Received>;

const overSockets: Watch = async (app, query) => {
  const sockets = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = await openRawSocket(app.url);
      await socket.init();
      for (let index = 0; index < watchers / 4; index += 1) socket.subscribe(String(index), query);
      return socket;
    }),
  );
  return async (text) => {
    await Promise.all(
      sockets.map((socket) =>
        socket.inbox.when(() => {
          const found = socket.texts.filter((message) => message.includes(text));
          return new Set(found.map((message) => /"id":"(\d+)"/.exec(message)?.[1])).size === watchers / 4;
        }),
      ),
    );
  };
};

const asServerSentEvents: Watch = async (app, query) => {
  const replies = await Promise.all(
    Array.from({ length: watchers }, async () => {
      const { body } = await fetch(app.url, {
        method: 'POST',
        headers: { ...sandboxKey, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query }),
      });
      if (!body) throw new Error('no stream');
      return { reader: body.pipeThrough(new TextDecoderStream()).getReader(), text: '' };
    }),
  );
  return async (text) => {
    await Promise.all(
      replies.map(async (reply) => {
        while (!reply.text.includes(text)) {
          const { value, done } = await reply.reader.read();
          if (done) throw new Error(`ended: ${reply.text}`);
          reply.text += value;
        }
      }),
    );
  };
};

const transports = { 'over WebSockets': overSockets, 'as server-sent events': asServerSentEvents };

interface Watched {
  readonly app: TestApp;
  readonly query: string;
  /** In the first event of each watcher. Undefined: there is none. */
  readonly first: string | undefined;
  /** Causes an event with this text for each watcher. */
  cause(): Promise<string>;
}

const overrides = () => ({ eventLoop: createCountedLoop() });

function closeLater<Closed extends AsyncDisposable>(closed: Closed): Closed {
  onTestFinished(() => closed[Symbol.asyncDispose]());
  return closed;
}

function startChatWith(selection: string) {
  return async (): Promise<Watched> => {
    const { app, gateway } = closeLater(await startScripted({ overrides: overrides() }));
    const starting = startChat(app, { input: ask('hello') });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('first'));
    const { id } = made(await starting);
    return {
      app,
      query: `subscription { chatEvents(id: "${id}", minIntervalMs: 0) { __typename sequence soFar { ${selection} } } }`,
      first: '"sequence":1',
      async cause() {
        exchange.send(...words('second'));
        return '"sequence":2';
      },
    };
  };
}

const kinds: Readonly<Record<string, () => Promise<Watched>>> = {
  'chatEvents, written in one step': startChatWith('choices { message { content } }'),
  'chatEvents, executed': startChatWith('messages { content }'),
  async imageEvents() {
    const { app, gateway } = closeLater(await startScripted({ overrides: overrides() }));
    const input = '{ model: "seedream-4", prompt: "foxes" }';
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe(
      'create',
      `subscription { streamImages(input: ${input}, idempotencyKey: "k") { generationId } }`,
    );
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const [id = ''] = /generation_[\w-]+/.exec(JSON.stringify(await socket.waitForMessage('create'))) ?? [];
    return {
      app,
      query: `subscription { imageEvents(id: "${id}") { sequence } }`,
      first: '"sequence":0',
      async cause() {
        exchange.send({ type: 'image_generation.partial_succeeded', image_index: 0, url: 'http://x/0.jpg' });
        return '"sequence":1';
      },
    };
  },
  async generationChanged() {
    const app = closeLater(await startApp({ overrides: overrides() }));
    return {
      app,
      query: 'subscription { generationChanged { ... on GenerationChanged { generation { id } } } }',
      first: undefined,
      cause: async () => made(await createChatCompletion(app, { input: ask('hello') })).id,
    };
  },
  async taskProgress() {
    const clock = createManualClock();
    let status = 'NOT_START';
    const gateway = await startFakeMusic({
      answer: (ids) => ({ body: { code: 'success', data: ids.map((id) => musicTask(id, status)) } }),
    });
    const env = { TASK_POLL_SECONDS: '1', TASK_POLL_MAX_SECONDS: '1' };
    const app = closeLater(
      await startApp({ gatewayUrl: gateway.url, env, overrides: { ...overrides(), clock } }),
    );
    return {
      app,
      query: `subscription { taskProgress(id: "${packId('task', ['SONG', 'a'])}") { status } }`,
      first: 'QUEUED',
      async cause() {
        status = 'IN_PROGRESS';
        clock.advance(2000);
        return 'RUNNING';
      },
    };
  },
};

test.each(
  Object.entries(kinds).flatMap(([kind, start]) =>
    Object.entries(transports).map(([transport, watch]) => ({ kind, transport, start, watch })),
  ),
)('many small events of one owner leave the event loop to others: $kind, $transport', async (row) => {
  const watched = await row.start();
  const { app, query, first, cause } = watched;
  const received = await row.watch(app, query);
  if (first !== undefined) await received(first);
  else while (app.app.activity.feeds < watchers) await takeTurns(app, 1);
  const counts = countEvents();
  await received(await cause());
  expect(counts.all).toBeGreaterThanOrEqual(watchers);
  expect(counts.most).toBeLessThanOrEqual(maxEvents);
});
