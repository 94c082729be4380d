import { describe, expect, onTestFinished, test } from 'vitest';
import {
  AwaitGenerationDocument,
  CreateSongDocument,
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  type GenerationChangedSubscription,
  type GenerationFilter,
} from '../../src/client/documents.generated.ts';
import { sandboxKey, startApp, subscribe, type TestApp, type TestAppOptions } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { createManualClock } from '../support/manual-clock.ts';

const stranger = { ...sandboxKey, 'x-end-user': 'ann' };
const sweepMs = 50_000;
const hour = 3_600_000;

type Change = GenerationChangedSubscription['generationChanged'];

function removed(generationId: string) {
  return { __typename: 'GenerationDeleted', generationId, cursor: expect.any(String) };
}

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
    await app.run(DeleteGenerationsDocument, { ids: [id, 'generation_none'] });
    for (const feed of feeds) expect(await feed.next()).toEqual(removed(id));
    const own = made(await createChatCompletion(app, { input: ask('Hello') }, stranger));
    expect(await other.next()).toMatchObject({ generationId: own.id });
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
    expect(change).toEqual(removed(id));
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
    await app.run(DeleteGenerationsDocument, { ids: [id] });
    // The song's changes did not match by kind, so its removal is the first event.
    expect(await images.next()).toEqual(removed(id));
  });
});

describe('awaitGeneration', () => {
  test('returns null at once when the generation is forgotten', async () => {
    const { app, create } = await startSong();
    const { id } = await create();
    const waiting = app.run(AwaitGenerationDocument, { by: { id }, timeoutSeconds: 300 });
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    await app.run(DeleteGenerationsDocument, { ids: [id] });
    expect(await waiting).toEqual({ data: { awaitGeneration: null } });
  });
});
