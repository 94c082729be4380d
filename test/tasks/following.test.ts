import { print } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  CreateSongDocument,
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  type GenerationChangedSubscription,
  QueueImageDocument,
  TaskProgressDocument,
} from '../../src/client/documents.generated.ts';
import type { AppOverrides } from '../../src/app.ts';
import { createAbsentRecords } from '../support/absent-records.ts';
import { subscribe, startApp, type TestApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong, type FakeMusicOptions, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createManualClock } from '../support/manual-clock.ts';

const input = { description: 'a shanty', model: 'SONG_V5' } as const;
const list = '{ generations(first: 5) { edges { node { id status finishedAt } } } }';
const hour = 3_600_000;

interface Followed {
  readonly isFollowed: boolean;
  readonly lastReadAt: string;
}

interface Listed {
  readonly generations: {
    readonly edges: readonly { readonly node: { readonly id: string; readonly status: string } }[];
  };
}

async function startMusic(options: FakeMusicOptions, env: Readonly<Record<string, string>> = {}) {
  const clock = createManualClock();
  const gateway = await startFakeMusic(options);
  const start = (overrides: AppOverrides = {}) =>
    startApp({
      gatewayUrl: gateway.url,
      overrides: { clock, ...overrides },
      env: { TASK_FOLLOW_HOURS: '24', ...env },
    });
  /** Advances the clock until the condition holds. */
  const until = async (isDone: () => boolean, stepMs = 200): Promise<void> => {
    while (!isDone()) {
      clock.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  /** Advances the clock by this much, with time for requests in between. */
  const pass = async (totalMs: number, stepMs: number): Promise<void> => {
    for (let passed = 0; passed < totalMs; passed += stepMs) {
      clock.advance(stepMs);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { gateway, clock, start, until, pass };
}

const running = (ids: readonly string[]) => ({
  body: { code: 'success', data: ids.map((id) => musicTask(id)) },
});
const finished = (ids: readonly string[]) => ({ body: { code: 'success', data: ids.map(finishedSong) } });

function statusOf(event: { readonly data?: GenerationChangedSubscription | null } | undefined) {
  const change = event?.data?.generationChanged;
  return change?.__typename === 'GenerationChanged' ? change.generation.status : undefined;
}

describe('an unwatched task', () => {
  test('is not read any more once its generation is deleted', async () => {
    const music = await startMusic({ answer: running });
    await using app = await music.start();
    const { data } = await app.run(CreateSongDocument, { input });
    const id = data?.createSong?.__typename === 'Generation' ? data.createSong.id : '';
    await music.until(() => music.gateway.fetches.length > 0);
    await app.run(DeleteGenerationsDocument, { ids: [id] });
    const before = music.gateway.fetches.length;
    await music.pass(60_000, 5000);
    expect(music.gateway.fetches).toHaveLength(before);
    expect(app.app.activity.polledTasks).toBe(0);
  });

  test('ends in the list and in the live feed', async () => {
    const music = await startMusic({ answer: (ids, fetch) => (fetch >= 3 ? finished(ids) : running(ids)) });
    await using app = await music.start();
    const feed = subscribe(app.wsClient(), GenerationChangedDocument, {});
    const created = feed.next();
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    await app.run(CreateSongDocument, { input });
    expect(statusOf((await created).value)).toBe('QUEUED');
    const states: (string | undefined)[] = [];
    const ended = (async () => {
      for await (const event of feed) {
        states.push(statusOf(event));
        if (statusOf(event) === 'SUCCEEDED') return;
      }
    })();
    let isOver = false;
    void ended.then(() => (isOver = true));
    await music.until(() => isOver);
    expect(states).toEqual(['RUNNING', 'SUCCEEDED']);
    const { data } = await app.run<Listed, object>(list);
    expect(data?.generations.edges[0]?.node).toMatchObject({ status: 'SUCCEEDED' });
    expect(app.app.activity).toMatchObject({ polledTasks: 0, taskWatchers: 0 });
  });

  test.each([{ key: 'k' }, {}])(
    'is polled if its create is recorded late, with the variables %j',
    async (variables) => {
      const records = createAbsentRecords();
      const music = await startMusic({ answer: (ids) => finished(ids) });
      await using app = await music.start({ wrapStore: records.wrapStore });
      records.takeAway('settle');
      const create =
        'mutation ($key: ID) { createSong(input: { description: "x", model: SONG_V5 }, idempotencyKey: $key) { __typename } }';
      await app.run(create, variables);
      expect(records.failed).toEqual(['settle']);
      records.bringBack();
      await music.pass(60_000, 500);
      const { data } = await app.run<Listed, object>(list);
      expect(data?.generations.edges.map(({ node }) => node.status)).toEqual(['SUCCEEDED']);
    },
  );

  test('is polled on after the clock was wrong for a while', async () => {
    const music = await startMusic({ answer: running }, { TASK_FOLLOW_HOURS: '2' });
    await using app = await music.start();
    await app.run(CreateSongDocument, { input });
    await music.until(() => music.gateway.fetches.length > 0);
    music.clock.step(3 * hour);
    await music.pass(hour / 6, 10_000);
    music.clock.step(-3 * hour);
    const before = music.gateway.fetches.length;
    // Longer than any interval.
    await music.pass(hour / 6, 10_000);
    expect(music.gateway.fetches.length).toBeGreaterThan(before);
  });

  test('is polled ever less often, at least every five minutes, and until TASK_FOLLOW_HOURS', async () => {
    const music = await startMusic({ answer: running }, { TASK_FOLLOW_HOURS: '2' });
    await using app = await music.start();
    await app.run(CreateSongDocument, { input });
    await music.pass(hour, 10_000);
    const inFirstHour = music.gateway.fetches.length;
    await music.pass(hour, 10_000);
    const inSecondHour = music.gateway.fetches.length - inFirstHour;
    expect(inFirstHour).toBeGreaterThan(20);
    expect(inFirstHour).toBeLessThan(40);
    // Every 300 seconds, give or take a fifth.
    expect(inSecondHour).toBeGreaterThanOrEqual(10);
    expect(inSecondHour).toBeLessThanOrEqual(15);
    await music.until(() => app.app.activity.polledTasks === 0, 10_000);
    const before = music.gateway.fetches.length;
    await music.pass(hour, 10_000);
    expect(music.gateway.fetches).toHaveLength(before);
  });

  test('shows the time of its last read, and after TASK_FOLLOW_HOURS that polling has stopped', async () => {
    const music = await startMusic({ answer: running }, { TASK_FOLLOW_HOURS: '2' });
    await using app = await music.start();
    await app.run(CreateSongDocument, { input });
    const created = music.clock.now();
    const find = async () => {
      const { data } = await app.run<
        {
          readonly generations: {
            readonly edges: readonly { readonly node: { readonly task: Followed } }[];
          };
        },
        object
      >('{ generations { edges { node { task { isFollowed lastReadAt } } } } }');
      const { isFollowed, lastReadAt } = data?.generations.edges[0]?.node.task ?? {};
      return { isFollowed, readAt: Date.parse(lastReadAt ?? '') };
    };
    await music.pass(hour, 10_000);
    const before = music.gateway.fetches.length;
    const polled = await find();
    expect(polled.isFollowed).toBe(true);
    expect(polled.readAt).toBeGreaterThan(created + hour - 400_000);
    await music.until(() => app.app.activity.polledTasks === 0, 10_000);
    const lastFetch = music.clock.now();
    await music.pass(3 * hour, 60_000);
    const left = await find();
    expect(left.isFollowed).toBe(false);
    expect(left.readAt).toBeGreaterThan(created + 2 * hour - 400_000);
    expect(left.readAt).toBeLessThanOrEqual(lastFetch);
    // Both fields come from the record: only polls have read the task.
    expect(music.gateway.fetches.length).toBeGreaterThan(before);
    const fetches = music.gateway.fetches.length;
    await find();
    expect(music.gateway.fetches).toHaveLength(fetches);
  });

  test('is not polled when TASK_FOLLOW_HOURS is 0', async () => {
    const music = await startMusic({ answer: running }, { TASK_FOLLOW_HOURS: '0' });
    await using app = await music.start();
    await app.run(CreateSongDocument, { input });
    await music.pass(60_000, 1000);
    expect(music.gateway.fetches).toEqual([]);
  });

  test('is not polled with a refused credential until the gateway accepts one of its owner', async () => {
    let status = 401;
    const music = await startMusic({
      answer: (ids) => (status === 200 ? finished(ids) : { status, body: { error: { message: 'no' } } }),
    });
    await using app = await music.start();
    await app.run(CreateSongDocument, { input });
    await music.until(() => music.gateway.fetches.length === 1);
    await music.until(() => app.app.activity.polledTasks === 0);
    await music.pass(60_000, 1000);
    expect(music.gateway.fetches).toHaveLength(1);
    status = 200;
    await app.run(CreateSongDocument, { input });
    await music.until(() => app.app.activity.polledTasks === 0);
    const { data } = await app.run<Listed, object>(list);
    expect(data?.generations.edges.map(({ node }) => node.status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });

  test('whose reads alone are refused is polled ever less often while the credential is accepted elsewhere', async () => {
    const clock = createManualClock();
    let refused = 0;
    let songs = 0;
    const gateway = await startFakeGateway((request, response, body) => {
      if (request.method === 'GET') refused += 1;
      if (request.url === '/music/fetch') songs += 1;
      const { ids = [] } = JSON.parse(body || '{}') as { ids?: string[] };
      const reply = request.url?.startsWith('/music')
        ? { code: 'success', data: request.url === '/music/fetch' ? ids.map((id) => musicTask(id)) : 's' }
        : { status: 'IN_QUEUE', request_id: 'q' };
      sendJson(response, reply, request.method === 'GET' ? 401 : 200);
    });
    const env = { TASK_FOLLOW_HOURS: '24' };
    await using app = await startApp({ gatewayUrl: gateway.url, overrides: { clock }, env });
    await app.run(QueueImageDocument, { input: { prompt: 'a lighthouse' } });
    await app.run(CreateSongDocument, { input });
    for (let second = 0; second < 600; second += 1) {
      // Every song is another accepted request of the owner.
      if (second % 10 === 0) await app.run(CreateSongDocument, { input });
      clock.advance(1000);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(songs).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(20);
  });

  test.each([
    ['the gateway accepts the credential of its owner', createAnother],
    ['its owner reads the status of one', (app: TestApp) => app.run(list)],
  ])('is picked up after a restart as soon as %s', async (_what, ask) => {
    const directory = await createDirectory();
    let isDone = false;
    const music = await startMusic(
      { answer: (ids) => (isDone ? finished(ids) : running(ids)) },
      { DATA_DIR: directory },
    );
    const first = await music.start();
    for (let count = 0; count < 3; count += 1) await first.run(CreateSongDocument, { input });
    await first[Symbol.asyncDispose]();
    isDone = true;
    await using second = await music.start();
    await music.pass(60_000, 1000);
    const before = music.gateway.fetches.length;
    // Without a state, nobody waits for an end.
    await second.run('{ generations { edges { node { id model } } } }');
    await music.pass(60_000, 1000);
    expect(music.gateway.fetches).toHaveLength(before);
    await ask(second);
    await music.until(() => second.app.activity.polledTasks >= 3);
    await music.until(() => second.app.activity.polledTasks === 0);
    const { data } = await second.run<Listed, object>(list);
    const statuses = data?.generations.edges.map(({ node }) => node.status) ?? [];
    expect(statuses).toEqual(Array(statuses.length).fill('SUCCEEDED'));
    // One request reads all songs of an owner.
    expect(music.gateway.fetches.at(-1)).toHaveLength(statuses.length);
  });

  test('is not polled again by reads of its status after the gateway refused the credential', async () => {
    const music = await startMusic({ answer: () => ({ status: 401, body: { error: { message: 'no' } } }) });
    await using app = await music.start();
    await app.run(CreateSongDocument, { input });
    await music.until(() => music.gateway.fetches.length === 1 && app.app.activity.polledTasks === 0);
    for (let count = 0; count < 10; count += 1) {
      await app.run(list);
      await music.pass(60_000, 10_000);
    }
    expect(music.gateway.fetches).toHaveLength(1);
  });
});

const createAnother = (app: TestApp) => app.run(CreateSongDocument, { input });

describe('a state of a task', () => {
  test.each([
    ['a song, which is read in batches', CreateSongDocument, { input }],
    ['a queued image, which is read alone', QueueImageDocument, { input: { prompt: 'a lighthouse' } }],
  ] as const)('reaches each watcher of %s once', async (_what, document, variables) => {
    const clock = createManualClock();
    let reads = 0;
    let progress = '10%';
    const gateway = await startFakeGateway((request, response, body) => {
      const isRead = request.method === 'GET' || request.url === '/music/fetch';
      if (isRead) reads += 1;
      const { ids = [] } = body === '' ? {} : (JSON.parse(body) as { ids?: string[] });
      const song = {
        code: 'success',
        data: isRead ? ids.map((id) => musicTask(id, 'IN_PROGRESS', { progress })) : 's',
      };
      const image = { request_id: 'r', status: progress === '10%' ? 'IN_QUEUE' : 'IN_PROGRESS' };
      sendJson(response, request.url?.startsWith('/music/') ? song : image);
    });
    await using app = await startApp({ gatewayUrl: gateway.url, overrides: { clock } });
    const created = await app.run<Record<string, { readonly task: { readonly id: string } }>, object>(
      print(document),
      variables,
    );
    const id = Object.values(created.data ?? {})[0]?.task.id ?? '';
    const events: string[][] = Array.from({ length: 5 }, () => []);
    const client = app.wsClient();
    const watches = events.map(() => subscribe(client, TaskProgressDocument, { id }));
    const ends = watches.map(async (watch, index) => {
      for await (const { data } of watch) events[index]?.push(JSON.stringify(data?.taskProgress));
    });
    while (app.app.activity.taskWatchers < 5) await new Promise((resolve) => setImmediate(resolve));
    const readOn = async (count: number, isDone: () => boolean): Promise<void> => {
      const start = reads;
      while (reads < start + count || !isDone()) {
        clock.advance(500);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await readOn(4, () => events.every(({ length }) => length > 0));
    progress = '20%';
    await readOn(4, () => events.every(({ length }) => length > 1));
    for (const watch of watches) await watch.return?.();
    await Promise.all(ends);
    for (const seen of events) expect(new Set(seen).size).toBe(2);
    for (const seen of events) expect(seen).toHaveLength(2);
  });
});
