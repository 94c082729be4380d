import { createConnection } from '../../src/client/connection.ts';
import type { ReconnectingClient } from '../../src/client/reconnecting.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parse, validate } from 'graphql';
import type { Sink, SubscribePayload } from 'graphql-ws';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { CreateSongDocument, DeleteGenerationsDocument } from '../../src/client/documents.generated.ts';
import { changesText, FeedFollower, pageText } from '../../src/client/feed.ts';
import { endText, generationText } from '../../src/client/follow-generation.ts';
import type { FeedView } from '../../src/client/gengraph.ts';
import { progressText } from '../../src/client/task-watch.ts';
import { schema } from '../support/api-schema.ts';
import { startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { readList } from '../support/feed-client.ts';
import {
  historyFilters,
  type Lane,
  RandomWrites,
  runHistories,
  startLanes,
} from '../support/feed-histories.ts';
import { connectGengraph, FeedReader } from '../support/kit-feeds.ts';
import { createRandom } from '../support/random.ts';

const ann = { authorization: 'Bearer sk-sandbox', 'x-end-user': 'ann' };

async function start(options?: TestAppOptions): Promise<TestApp> {
  const app = await startApp(options);
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

async function createChat(app: TestApp): Promise<string> {
  return made(await createChatCompletion(app, { input: ask('Hello') }, ann)).id;
}

const idsOf = ({ items }: FeedView): readonly string[] => items.map(({ id }) => id);
const statuses = ({ items }: Pick<FeedView, 'items'>) => items.map(({ id, status }) => [id, status]);

/** Each id once, in order. */
function expectOrder({ items }: FeedView): void {
  const ordered = items.toSorted((one, other) =>
    one.createdAt === other.createdAt
      ? one.id > other.id
        ? -1
        : 1
      : one.createdAt > other.createdAt
        ? -1
        : 1,
  );
  expect(items).toEqual(ordered);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
}

/** Writes, cuts, absences, further pages and resets. At the end, the list must be the one that is read. */
async function runHistory(lane: Lane, random: () => number): Promise<{ readonly resets: number }> {
  const writes = new RandomWrites(lane, random);
  await writes.writeSome(Math.floor(random() * 12));
  const [instance] = lane.instances;
  const filter = writes.pick(historyFilters);
  const { gengraph, cut } = connectGengraph(instance.url, lane.endUser);
  const feed = gengraph.feed(filter, { pageSize: 1 + Math.floor(random() * 6) });
  const reader = new FeedReader(feed);
  let resets = 0;
  for (let steps = 3 + random() * 12; steps > 0; steps -= 1) {
    const choice = random();
    if (choice < 0.15) reader.leave();
    else if (choice < 0.3) cut();
    else if (choice < 0.5) void feed.more();
    if (choice < 0.9) await writes.writeSome(Math.ceil(random() * 3));
    if (choice > 0.95) {
      await writes.forgetLog();
      cut();
      resets += 1;
    }
    if (choice < 0.15) reader.enter();
  }
  const last = await writes.addLast();
  await reader.when((view) => idsOf(view).includes(last));
  const fresh = [...(await readList(instance.api, filter)).listed];
  // The first pages of the list. A reset that arrives late can shorten it again, so the view of one moment is compared.
  const isListed = () => {
    const { items, hasMore } = reader.view ?? empty;
    expect(statuses({ items })).toEqual(fresh.slice(0, hasMore ? items.length : fresh.length));
    return hasMore;
  };
  while (await vi.waitFor(isListed, { timeout: 60_000, interval: 5 })) await feed.more();
  for (const view of reader.views) expectOrder(view);
  reader.leave();
  await gengraph.dispose();
  await writes.removeAll();
  return { resets };
}

const empty: FeedView = { items: [], hasMore: false, isLoading: true, isLoadingMore: false, problem: null };

interface StubRequest {
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  answer(value: unknown): void;
}

/** A client whose requests the test answers, in any order. */
function createStubClient() {
  const sent: StubRequest[] = [];
  const client = {
    connection: createConnection(() => {}),
    subscribe({ query, variables }: SubscribePayload, sink: Sink) {
      if (query === progressText) return () => {};
      const answer = (value: unknown): void => sink.next({ data: { field: value } });
      sent.push({ variables: { ...variables }, answer });
      return () => {};
    },
  } as unknown as ReconnectingClient;
  const requests = async (count: number): Promise<readonly StubRequest[]> => {
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(count);
    return sent;
  };
  return { client, requests };
}

/** A page with one generation, or none. */
function pageOf(id: string | undefined, hasNextPage: boolean) {
  const node = { id, createdAt: id === 'a' ? '2026-01-02T00:00:00.000Z' : '2026-01-01T00:00:00.000Z' };
  return {
    feedCursor: 'now',
    edges: id === undefined ? [] : [{ node: { ...node, status: 'SUCCEEDED', isTerminal: true, assets: [] } }],
    pageInfo: { hasNextPage, endCursor: id ?? null },
  };
}

const histories = Math.ceil(Number(process.env['FEED_HISTORIES'] ?? 160) / 4);

describe('feed', () => {
  test(
    `is the list as it is read, in ${histories} random histories with cuts, absences, pages and resets`,
    { timeout: 60_000 + 1000 * histories },
    async () => {
      let resets = 0;
      await runHistories(await startLanes('SQLite', createRandom(0)), histories, async (lane, seed) => {
        const history = await runHistory(lane, createRandom(seed));
        resets += history.resets;
      });
      expect(resets).toBeGreaterThan(0);
    },
  );

  test('a page that was read before the list was read again does not end the list', async () => {
    const { client, requests } = createStubClient();
    const views: FeedView[] = [];
    const follower = new FeedFollower(client, {}, 1);
    onTestFinished(follower.add({ push: (view) => void views.push(view), end() {} }));
    const [page] = await requests(1);
    page?.answer(pageOf('a', true));
    const [, changes] = await requests(2);
    const loading = follower.more();
    const [, , older] = await requests(3);
    changes?.answer({ __typename: 'FeedReset', cursor: 'later' });
    const [, , , again] = await requests(4);
    // The same end as before: others have become visible behind it.
    again?.answer(pageOf('a', true));
    await requests(5);
    // The server had read it when there was nothing more.
    older?.answer(pageOf(undefined, false));
    const next = (await requests(6)).at(-1);
    expect(next?.variables).toMatchObject({ after: 'a' });
    next?.answer(pageOf('b', false));
    await loading;
    expect(views.at(-1)).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }], hasMore: false });
  });

  test('has everything that a gallery shows', async () => {
    const music = await startFakeMusic({
      answer: (ids) => ({ body: { code: 'success', data: ids.map((id) => finishedSong(id)) } }),
    });
    const app = await start({ gatewayUrl: music.url, env: { TASK_POLL_SECONDS: '0.05' } });
    await app.run(
      CreateSongDocument,
      { input: { description: 'A waltz', model: 'SONG_V5' }, collection: 'c1' },
      { headers: ann },
    );
    const reader = new FeedReader(connectGengraph(app.url).gengraph.feed({ collection: 'c1' }));
    const { items, ...rest } = await reader.when(({ items: [item] }) => item?.isEnded === true);
    expect(rest).toEqual({ hasMore: false, isLoading: false, isLoadingMore: false, problem: null });
    expect(items).toMatchObject([
      {
        kind: 'SONG',
        status: 'SUCCEEDED',
        model: 'song-v5',
        prompt: 'A waltz',
        collection: 'c1',
        error: null,
        assets: [{ kind: 'AUDIO', role: 'PRIMARY', index: 0, title: 'song-1', base64: null }],
      },
    ]);
  });

  test('shows the progress of tasks, also of those that are created meanwhile', async () => {
    let progress = 10;
    const music = await startFakeMusic({
      answer: (ids) => ({
        body: {
          code: 'success',
          data: ids.map((id) =>
            progress === 100 ? finishedSong(id) : musicTask(id, 'IN_PROGRESS', { progress: `${progress}%` }),
          ),
        },
      }),
    });
    const app = await start({ gatewayUrl: music.url, env: { TASK_POLL_SECONDS: '0.05' } });
    const reader = new FeedReader(connectGengraph(app.url).gengraph.feed());
    await reader.when(({ isLoading }) => !isLoading);
    const create = () =>
      app.run(CreateSongDocument, { input: { description: 'x', model: 'SONG_V5' } }, { headers: ann });
    await create();
    await reader.when(({ items: [item] }) => item?.progress === 0.1);
    await create();
    await reader.when(({ items }) => items.length === 2 && items.every((item) => item.progress === 0.1));
    progress = 60;
    await reader.when(({ items }) => items.every((item) => item.progress === 0.6));
    progress = 100;
    const { items } = await reader.when((view) => view.items.every(({ isEnded }) => isEnded));
    expect(items.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });

  test('keeps the identity of items that do not change, also when it reads the list again', async () => {
    const app = await start();
    const ids = [await createChat(app), await createChat(app), await createChat(app)];
    const { gengraph, cut } = connectGengraph(app.url);
    const reader = new FeedReader(gengraph.feed({}, { pageSize: 2 }));
    const before = await reader.when(({ items }) => items.length === 2);
    expect(before).toMatchObject({ hasMore: true, isLoading: false });
    cut();
    const added = await createChat(app);
    const after = await reader.when(({ items }) => items.length === 3);
    expect(idsOf(after)).toEqual([added, ids[2], ids[1]]);
    expect(after.items[1]).toBe(before.items[0]);
    expect(after.items[2]).toBe(before.items[1]);
  });

  test('continues after the last event when the connection comes back, without reading the list again', async () => {
    const app = await start();
    await createChat(app);
    const client = connectGengraph(app.url);
    const reader = new FeedReader(client.gengraph.feed());
    await reader.when(({ items }) => items.length === 1);
    const gone = await createChat(app);
    await reader.when(({ items }) => items.length === 2);
    client.cut();
    await app.run(DeleteGenerationsDocument, { ids: [gone] }, { headers: ann });
    await reader.when(({ items }) => items.length === 1);
    reader.leave();
    const added = await createChat(app);
    reader.enter();
    await reader.when((view) => idsOf(view).includes(added));
    expect(client.pageReads).toBe(1);
  });

  test('reads the list again after FeedReset, as far as it was read', async () => {
    const [lane] = await startLanes('SQLite', createRandom(0));
    if (!lane) throw new Error('there is no lane');
    const writes = new RandomWrites(lane, createRandom(1));
    for (let count = 0; count < 7; count += 1) await writes.addLast();
    const client = connectGengraph(lane.instances[0].url, lane.endUser);
    const feed = client.gengraph.feed({}, { pageSize: 2 });
    const reader = new FeedReader(feed);
    await reader.when(({ items }) => items.length === 2);
    await feed.more();
    await reader.when(({ items }) => items.length === 4);
    reader.leave();
    await writes.removeAll();
    for (let count = 0; count < 5; count += 1) await writes.addLast();
    const kept = [...(await readList(lane.instances[0].api)).listed.keys()];
    await writes.forgetLog();
    reader.enter();
    const view = await reader.when((now) => idsOf(now).includes(kept[0] ?? ''));
    expect(idsOf(view)).toEqual(kept.slice(0, 4));
    expect(view.hasMore).toBe(true);
    expect(client.pageReads).toBe(3);
  });

  test('has a refused filter as a problem, and goes on with retry', async () => {
    const app = await start();
    const models = Array.from({ length: 101 }, (_none, index) => `m${index}`);
    const feed = connectGengraph(app.url).gengraph.feed({ models });
    const reader = new FeedReader(feed);
    const { problem, isLoading } = await reader.when((view) => view.problem !== null);
    expect(problem).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(isLoading).toBe(true);
    models.length = 1;
    feed.retry();
    await reader.when((view) => view.problem === null && !view.isLoading);
  });

  test('ends with its signal', async () => {
    const app = await start();
    const leaving = new AbortController();
    const feed = connectGengraph(app.url).gengraph.feed({}, { signal: leaving.signal });
    let views = 0;
    for await (const { isLoading } of feed) {
      views += 1;
      if (!isLoading) leaving.abort();
    }
    expect(views).toBe(1);
    await expect.poll(() => app.app.activity.feeds).toBe(0);
  });
});

test('a page that is older than an event does not bring back what the event has changed or removed', async () => {
  const node = (id: string, status: string) => ({
    id,
    status,
    kind: 'CHAT',
    model: null,
    prompt: null,
    collection: null,
    finishedAt: null,
    error: null,
    createdAt: `2026-01-0${id}T00:00:00.000Z`,
    isCancelable: false,
    isTerminal: false,
    assets: [],
    task: null,
  });
  const page = (ids: readonly string[], hasNextPage: boolean) => ({
    generations: {
      feedCursor: 'f',
      edges: ids.map((id) => ({ node: node(id, 'RUNNING') })),
      pageInfo: { hasNextPage, endCursor: 'e' },
    },
  });
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: () => 'graphql-transport-ws',
  });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  let feedId = '';
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const { type, id, payload } = JSON.parse(data.toString()) as {
        readonly type: string;
        readonly id: string;
        readonly payload?: { readonly query: string; readonly variables: { readonly after?: string } };
      };
      const send = (to: string, answer: object): void =>
        socket.send(JSON.stringify({ id: to, type: 'next', payload: { data: answer } }));
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
      if (payload?.query === changesText) feedId = id;
      if (payload?.query !== pageText) return;
      if (payload.variables.after === undefined) send(id, page(['9', '8'], true));
      else {
        // The page was read before these events, and arrives after them.
        const at = { cursor: 'c', matchesFilter: true };
        const generation = node('6', 'SUCCEEDED');
        const changed = { __typename: 'GenerationChanged', ...at, generationId: '6', generation };
        send(feedId, { generationChanged: changed });
        send(feedId, { generationChanged: { __typename: 'GenerationDeleted', ...at, generationId: '7' } });
        send(id, page(['7', '6', '5'], false));
      }
      socket.send(JSON.stringify({ id, type: 'complete' }));
    }),
  );
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  const feed = connectGengraph(`http://127.0.0.1:${port}/graphql`).gengraph.feed({}, { pageSize: 2 });
  const reader = new FeedReader(feed);
  await reader.when(({ items }) => items.length === 2);
  while (feedId === '') await new Promise((resolve) => setImmediate(resolve));
  await feed.more();
  const view = await reader.when(({ isLoadingMore, items }) => !isLoadingMore && items.length > 2);
  expect(statuses(view)).toEqual([
    ['9', 'RUNNING'],
    ['8', 'RUNNING'],
    ['6', 'SUCCEEDED'],
    ['5', 'RUNNING'],
  ]);
});

test('the operations of feeds are valid', () => {
  for (const text of [pageText, changesText, progressText, generationText, endText])
    expect(validate(schema, parse(text))).toEqual([]);
});
