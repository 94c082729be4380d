import { describe, expect, onTestFinished, test } from 'vitest';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import {
  AwaitGenerationDocument,
  CreateSongDocument,
  ForgetGenerationsDocument,
  GenerationChangedDocument,
  type GenerationChangedSubscription,
  type GenerationFilter,
} from '../../src/client/documents.generated.ts';
import { publishChanges } from '../../src/generations/publish-changes.ts';
import { createGenerationFeeds, type GenerationChange } from '../../src/generations/watch-generations.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { buildCreation, buildGeneration, owner, record } from '../store/support.ts';
import { sandboxKey, startApp, subscribe, type TestApp, type TestAppOptions } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { createManualClock } from '../support/manual-clock.ts';

const stranger = { ...sandboxKey, 'x-end-user': 'ann' };
const sweepMs = 50_000;
const hour = 3_600_000;

type Change = GenerationChangedSubscription['generationChanged'];

/** Closes after the clients of the test. */
async function start(options?: TestAppOptions): Promise<TestApp> {
  const app = await startApp(options);
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

/** Follows the feed. Resolves when the server has subscribed. */
async function follow(app: TestApp, filter?: GenerationFilter, connectionParams = {}) {
  const before = app.app.activity.feeds;
  const client = app.wsClient(Object.keys(connectionParams).length > 0 ? { connectionParams } : {});
  const events = subscribe(client, GenerationChangedDocument, filter ? { filter } : {});
  let pending: ReturnType<typeof events.next> | undefined = events.next();
  while (app.app.activity.feeds === before) await new Promise((resolve) => setImmediate(resolve));
  return {
    async next(): Promise<Change | undefined> {
      const result = await (pending ?? events.next());
      pending = undefined;
      return result.value?.data?.generationChanged;
    },
  };
}

/** A server with a song that runs until `finish` is called and its task is read. */
async function startSong() {
  let isDone = false;
  const music = await startFakeMusic({
    answer: (ids) => ({
      body: { code: 'success', data: ids.map((id) => (isDone ? finishedSong(id) : musicTask(id))) },
    }),
  });
  const app = await start({ gatewayUrl: music.url });
  const create = async () => {
    const { data } = await app.run(CreateSongDocument, { input: { description: 'x', model: 'SONG_V5' } });
    if (data?.createSong?.__typename !== 'Generation' || !data.createSong.task) throw new Error('no song');
    return { id: data.createSong.id, taskId: data.createSong.task.id };
  };
  const finish = async (taskId: string) => {
    isDone = true;
    await app.run('query ($id: ID!) { task(id: $id) { status } }', { id: taskId });
  };
  return { app, create, finish };
}

describe('generationChanged', () => {
  test('reports a forgotten generation as removed, for every filter and to its owner only', async () => {
    const app = await start();
    const { id } = made(await createChatCompletion(app, { input: ask('Hello') }));
    const feeds = [await follow(app), await follow(app, { kinds: ['SONG'], statuses: ['RUNNING'] })];
    const other = await follow(app, undefined, stranger);
    await app.run(ForgetGenerationsDocument, { ids: [id, 'generation_none'] });
    for (const feed of feeds)
      expect(await feed.next()).toEqual({ __typename: 'GenerationRemoved', generationId: id });
    const own = made(await createChatCompletion(app, { input: ask('Hello') }, stranger));
    expect((await other.next())?.generationId).toBe(own.id);
  });

  test('reports an expired generation as removed', async () => {
    const clock = createManualClock();
    const app = await start({
      overrides: { clock },
      env: { GENERATION_DAYS: '0.05', IDEMPOTENCY_HOURS: '1' },
    });
    const { id } = made(await createChatCompletion(app, { input: ask('Hello') }));
    clock.advance(2 * hour);
    await clock.waitForTimer(sweepMs);
    const feed = await follow(app);
    let change: Change | undefined;
    void feed.next().then((next) => (change = next));
    while (!change) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(change).toEqual({ __typename: 'GenerationRemoved', generationId: id });
  });

  test('says when a generation leaves a filter by status, and sends nothing for other kinds', async () => {
    const { app, create, finish } = await startSong();
    const unfinished = await follow(app, { statuses: ['QUEUED', 'RUNNING'] });
    const images = await follow(app, { kinds: ['IMAGE'] });
    const { id, taskId } = await create();
    expect(await unfinished.next()).toMatchObject({
      generationId: id,
      matchesFilter: true,
      generation: { id, status: 'QUEUED' },
    });
    await finish(taskId);
    expect(await unfinished.next()).toMatchObject({
      __typename: 'GenerationChanged',
      generationId: id,
      matchesFilter: false,
      generation: { id, status: 'SUCCEEDED' },
    });
    await app.run(ForgetGenerationsDocument, { ids: [id] });
    // The song's changes did not match by kind, so its removal is the first event.
    expect(await images.next()).toEqual({ __typename: 'GenerationRemoved', generationId: id });
  });
});

describe('awaitGeneration', () => {
  test('returns null at once when the generation is forgotten', async () => {
    const { app, create } = await startSong();
    const { id } = await create();
    const waiting = app.run(AwaitGenerationDocument, { by: { id }, timeoutSeconds: 300 });
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    await app.run(ForgetGenerationsDocument, { ids: [id] });
    expect(await waiting).toEqual({ data: { awaitGeneration: null } });
  });
});

describe('the changes for a slow reader', () => {
  async function open() {
    const bus = createInProcessBus();
    const records = await createSqliteStore({ directory: ':memory:', clock: createManualClock() });
    onTestFinished(() => records.close());
    return { bus, store: publishChanges(records, bus) };
  }

  test('coalesce to the last one of each generation, and a removal is not lost', async () => {
    const { bus, store } = await open();
    const [kept, removed] = [
      await record(store, { status: 'RUNNING', finishedAt: undefined, taskId: 'task_1' }),
      await record(store),
    ];
    const changes = createGenerationFeeds({ store, bus }).watch<GenerationChange>({
      owner,
      toEvent: (change) => change,
    });
    const first = changes.next();
    for (let turn = 0; turn < 100; turn += 1) {
      await store.endGeneration(kept.id, { status: 'SUCCEEDED', finishedAt: 3000 });
      await store.endGeneration(removed.id, { status: 'FAILED', finishedAt: 3000 });
    }
    await store.forgetGenerations(owner, [removed.id]);
    await first;
    const rest = [(await changes.next()).value, (await changes.next()).value];
    expect(rest).toMatchObject([{ id: kept.id, generation: { status: 'SUCCEEDED' } }, { id: removed.id }]);
    expect(rest[1]?.generation).toBeUndefined();
    const next = changes.next();
    await changes.return?.();
    expect((await next).done).toBe(true);
  });

  test('include the release of a visible generation, not of an invisible one', async () => {
    const { bus, store } = await open();
    const [seen, unseen] = [buildGeneration(), buildGeneration({ isVisible: false })];
    const changes = createGenerationFeeds({ store, bus }).watch<GenerationChange>({
      owner,
      toEvent: (change) => change,
    });
    const first = changes.next();
    for (const generation of [unseen, seen]) {
      const creation = buildCreation(generation.id);
      await store.claim(creation, generation);
      await store.release(creation.id);
    }
    expect((await first).value).toEqual({ id: seen.id, generation: undefined });
    await changes.return?.();
  });

  test('are read once for all watchers with the same key', async () => {
    const { bus, store } = await open();
    const generation = await record(store);
    let reads = 0;
    const counting = {
      ...store,
      findSummaries: (...args: Parameters<typeof store.findSummaries>) => {
        reads += 1;
        return store.findSummaries(...args);
      },
    };
    const feeds = createGenerationFeeds({ store: counting, bus });
    const watch = () =>
      feeds.watch<GenerationChange>({ owner, key: 'all', toEvent: ({ ...change }) => change }).next();
    const watching = [watch(), watch(), watch()];
    expect(bus.subscriptions + feeds.sharing).toBe(3);
    bus.publish(`generations ${owner}`, generation.id);
    const [first, ...others] = (await Promise.all(watching)).map(({ value }) => value);
    expect(first).toMatchObject({ id: generation.id });
    for (const other of others) expect(other).toBe(first);
    expect(reads).toBe(1);
  });

  test('fail the watcher that is too far behind, and no other', async () => {
    const { bus, store } = await open();
    const generation = await record(store);
    const feeds = createGenerationFeeds({ store, bus, maxBehind: 10 });
    const watch = () => feeds.watch<GenerationChange>({ owner, toEvent: (change) => change });
    const [slow, current] = [watch(), watch()];
    void slow.next();
    for (let change = 0; change < 12; change += 1) {
      const next = current.next();
      bus.publish(`generations ${owner}`, generation.id);
      await next;
    }
    await expect(slow.next()).rejects.toThrow('too far behind');
    expect(bus.subscriptions).toBe(1);
    await current.return?.();
    expect(bus.subscriptions).toBe(0);
  });

  test('of one generation wake only its watcher with a change', async () => {
    const { bus, store } = await open();
    const [one, two] = [await record(store), await record(store)];
    const feeds = createGenerationFeeds({ store, bus });
    const changes = feeds.watch<GenerationChange>({ owner, id: two.id, toEvent: (change) => change });
    const next = changes.next();
    bus.publish(`generations ${owner}`, one.id);
    bus.publish(`generations ${owner}`, two.id);
    expect((await next).value?.id).toBe(two.id);
    await changes.return?.();
  });
});
