import { describe, expect, onTestFinished, test } from 'vitest';
import { QueueImageDocument } from '../../src/client/documents.generated.ts';
import type { Store } from '../../src/store/store.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { openStuckSocket, takeTurns } from '../support/big-reply.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket, type RawSocket } from '../support/raw-socket.ts';

const megabyte = 1024 * 1024;
/** The record of a chat holds it twice: as prompt and in its input. */
const prompt = 'All work and no play makes a dull prompt.\n'.repeat(25_000);

/** An app whose reads of contents and whole records wait after `hold`, until they are let through. */
async function start(env: Readonly<Record<string, string>> = {}, wholeRecords = false) {
  const waiting: (() => void)[] = [];
  const reads = { started: 0, isOpen: true };
  const begin = async (): Promise<void> => {
    reads.started += 1;
    if (!reads.isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    async findContents(owner, refs) {
      await begin();
      return store.findContents(owner, refs);
    },
    async findGenerations(owner, ids) {
      // Creates read their own record.
      if (wholeRecords) await begin();
      return store.findGenerations(owner, ids);
    },
  });
  // Shared texts are kept until this clock moves.
  const clientClock = createManualClock();
  const app = await startApp({
    env: { STREAM_LOG_SECONDS: '0.001', ...env },
    overrides: { wrapStore, clientClock },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const hold = (): void => void Object.assign(reads, { started: 0, isOpen: false });
  const letThrough = (): void => {
    reads.isOpen = true;
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { app, reads, hold, letThrough };
}

const create = async (app: TestApp): Promise<string> =>
  made(await createChatCompletion(app, { input: ask(prompt) })).id;

async function queueImage(app: TestApp): Promise<string> {
  const { data } = await app.run(QueueImageDocument, { input: { prompt } });
  if (data?.queueImage?.__typename !== 'Generation' || !data.queueImage.task) throw new Error('no task');
  return data.queueImage.task.id;
}

async function streamImages(app: TestApp): Promise<string> {
  const socket = await openRawSocket(app.url);
  await socket.init(sandboxKey);
  socket.subscribe('create', {
    query: `subscription ($input: ImageByResolutionInput!) {
      streamImages(input: $input, idempotencyKey: "images") { generationId }
    }`,
    variables: { input: { model: 'seedream-4', prompt } },
  });
  const text = JSON.stringify(await socket.waitForEnd('create'));
  const [id] = /generation_[\w-]+/.exec(text) ?? [];
  if (id === undefined) throw new Error(text.slice(0, 500));
  return id;
}

const changes = (index: number): string =>
  `subscription { generationChanged { ... on GenerationChanged { generation { a${index}: prompt } } } }`;

interface Kind {
  /** Makes what is followed. Absent if the subscription waits for a change. */
  readonly make?: (app: TestApp) => Promise<string>;
  readonly queryOf: (index: number, id: string) => string;
}

/** Subscriptions with different answers. */
const kinds: Readonly<Record<string, Kind>> = {
  generationChanged: { queryOf: changes },
  chatEvents: {
    make: create,
    queryOf: (index, id) =>
      `subscription { chatEvents(id: "${id}") { sequence ... on ChatCompleted { generation { a${index}: prompt } } } }`,
  },
  imageEvents: {
    make: streamImages,
    queryOf: (index, id) =>
      `subscription { imageEvents(id: "${id}") { sequence ... on ImageCompleted { generation { a${index}: prompt } } } }`,
  },
  taskProgress: {
    make: queueImage,
    queryOf: (index, id) => `subscription { taskProgress(id: "${id}") { generation { a${index}: prompt } } }`,
  },
  tasksProgress: {
    make: queueImage,
    queryOf: (index, id) =>
      `subscription { tasksProgress(ids: ["${id}"]) { generation { a${index}: prompt } } }`,
  },
};

interface Watching {
  /** Resolves when each subscription has received the prompt. */
  received(): Promise<void>;
}

type Watch = (app: TestApp, queries: readonly string[]) => Promise<Watching>;

const overOneSocket: Watch = async (app, queries) => {
  const socket = await openRawSocket(app.url);
  await socket.init();
  for (const [index, query] of queries.entries()) socket.subscribe(String(index), query);
  return { received: () => receivedBy(socket, queries.length) };
};

async function receivedBy(socket: RawSocket, count: number): Promise<void> {
  const large = new Set<unknown>();
  let seen = 0;
  await socket.inbox.when((all) => {
    for (const { id, payload } of all.slice(seen))
      if (JSON.stringify(payload ?? null).length > prompt.length) large.add(id);
    seen = all.length;
    return large.size === count;
  });
}

const overManySockets: Watch = async (app, queries) => {
  const all = await Promise.all(queries.map((query) => overOneSocket(app, [query])));
  return { received: async () => void (await Promise.all(all.map(({ received }) => received()))) };
};

const asServerSentEvents: Watch = async (app, queries) => {
  const all = await Promise.all(
    queries.map(async (query) => {
      const response = await fetch(app.url, {
        method: 'POST',
        headers: { ...sandboxKey, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query }),
      });
      const read = async (): Promise<void> => {
        let length = 0;
        for await (const piece of response.body ?? []) {
          length += piece.length;
          if (length > prompt.length) return;
        }
        throw new Error('the stream ended');
      };
      return { read: read() };
    }),
  );
  return { received: async () => void (await Promise.all(all.map(({ read }) => read))) };
};

/** Of one owner at the same time. */
const subscriptions = 4;

describe.each(Object.entries(kinds))('the events of %s', (_kind, { make, queryOf }) => {
  test.each([
    ['over one socket', overOneSocket],
    ['over many sockets', overManySockets],
    ['as server-sent events', asServerSentEvents],
  ])(
    'that one owner prepares at the same time have room in one answer, %s',
    async (_name, watch) => {
      const env = { MAX_ANSWER_BYTES: String(1.5 * megabyte) };
      const { app, reads, hold, letThrough } = await start(env, make !== undefined);
      const known = (await make?.(app)) ?? '';
      await takeTurns(app);
      hold();
      const watching = watch(
        app,
        Array.from({ length: subscriptions }, (_, index) => queryOf(index, known)),
      );
      while (!make && app.app.activity.feeds < subscriptions) await takeTurns(app, 1);
      if (!make) await create(app);
      while (reads.started === 0) await takeTurns(app, 1);
      await takeTurns(app, 30);
      expect(reads.started).toBe(1);
      letThrough();
      await (await watching).received();
      expect(reads.started).toBeGreaterThanOrEqual(subscriptions);
    },
    30_000,
  );
});

test('equal subscriptions of one owner share one read, and those of another owner have their own', async () => {
  const { app, reads, hold, letThrough } = await start();
  hold();
  const query = changes(0);
  const other = { ...sandboxKey, 'x-end-user': 'other' };
  const sockets = await Promise.all(
    [sandboxKey, sandboxKey, sandboxKey, other].map(async (params) => {
      const socket = await openRawSocket(app.url);
      await socket.init(params);
      for (let index = 0; index < 10; index += 1) socket.subscribe(String(index), query);
      return socket;
    }),
  );
  while (app.app.activity.feeds < 40) await takeTurns(app, 1);
  await create(app);
  made(await createChatCompletion(app, { input: ask(prompt) }, other));
  await takeTurns(app, 30);
  expect(reads.started).toBe(2);
  letThrough();
  await Promise.all(sockets.map((socket) => receivedBy(socket, 10)));
  // Each chat has a second event, of its end.
  expect(reads.started).toBeLessThanOrEqual(4);
}, 60_000);

test('a socket that does not read has one large event in preparation or unsent', async () => {
  const { app, reads } = await start();
  const fields = Array.from({ length: 8 }, (_, index) => `b${index}: prompt`).join(' ');
  const queries = Array.from({ length: 6 }, (_, index) =>
    changes(index).replace('generation {', `generation { ${fields}`),
  );
  const socket = await openStuckSocket(app, queries);
  while (app.app.activity.feeds < queries.length) await takeTurns(app, 1);
  await create(app);
  while (app.app.activity.unsentBytes === 0) await takeTurns(app, 1);
  await takeTurns(app, 50);
  // A few begin together. The others of them wait for the first, and are prepared again.
  expect(reads.started).toBeLessThanOrEqual(4);
  expect(app.app.activity.unsentBytes).toBeLessThan(11 * prompt.length);
  socket.resume();
  await receivedBy(socket, queries.length);
}, 60_000);
