import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  CreateSongDocument,
  GenerationChangedDocument,
  TaskProgressDocument,
  TasksProgressDocument,
} from '../../src/client/documents.generated.ts';
import { packId } from '../../src/lib/ids.ts';
import { collect, startApp, subscribe } from '../support/app.ts';
import { finishedSong, musicTask, startFakeMusic, type FakeMusicOptions } from '../support/fake-music.ts';
import { createManualClock } from '../support/manual-clock.ts';

const song = (id: string): string => packId('task', ['SONG', id]);

async function startMusic(options: FakeMusicOptions = {}, env: Readonly<Record<string, string>> = {}) {
  const clock = createManualClock();
  const gateway = await startFakeMusic(options);
  const app = await startApp({
    gatewayUrl: gateway.url,
    overrides: { clock },
    env: { TASK_POLL_SECONDS: '1', TASK_POLL_MAX_SECONDS: '8', ...env },
  });
  /** Advances the clock until the gateway has received this many fetches. Returns the elapsed time. */
  const advanceToFetch = async (count: number): Promise<number> => {
    const start = clock.now();
    const fetched = gateway.waitForFetches(count);
    let isFetched = false;
    void fetched.then(() => (isFetched = true));
    while (!isFetched) {
      clock.advance(50);
      // A request takes several turns of the event loop, more if it needs a connection.
      for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    }
    return clock.now() - start;
  };
  return { app, gateway, clock, advanceToFetch, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

describe('watching tasks', () => {
  test('yields the current state, then every change, and completes at the end', async () => {
    await using music = await startMusic({
      answer: (ids, fetch) => ({
        body: {
          code: 'success',
          data: ids.map((id) =>
            fetch >= 4 ? finishedSong(id) : musicTask(id, 'IN_PROGRESS', { progress: `${fetch * 20}%` }),
          ),
        },
      }),
    });
    const events = collect(subscribe(music.app.wsClient(), TaskProgressDocument, { id: song('a') }));
    await music.advanceToFetch(4);
    expect(
      (await events).map(({ data }) => [data?.taskProgress.status, data?.taskProgress.progress]),
    ).toEqual([
      ['RUNNING', 0.2],
      ['RUNNING', 0.4],
      ['RUNNING', 0.6],
      ['SUCCEEDED', 1],
    ]);
    expect(music.app.app.activity.polledTasks).toBe(0);
  });

  test('a clock that is set back by an hour does not delay the next read', async () => {
    await using music = await startMusic({
      answer: (ids, fetch) => ({
        body: {
          code: 'success',
          data: ids.map((id) =>
            fetch >= 3 ? finishedSong(id) : musicTask(id, 'IN_PROGRESS', { progress: `${fetch * 20}%` }),
          ),
        },
      }),
    });
    const events = subscribe(music.app.wsClient(), TaskProgressDocument, { id: song('a') });
    const first = events.next();
    await music.advanceToFetch(1);
    await first;
    const second = events.next();
    await music.advanceToFetch(2);
    expect((await second).value?.data?.taskProgress.progress).toBe(0.4);
    music.clock.step(-3_600_000);
    const third = events.next();
    expect(await music.advanceToFetch(3)).toBeLessThan(10_000);
    expect((await third).value?.data?.taskProgress.status).toBe('SUCCEEDED');
  });

  test('with 300 watchers of 10 songs costs as many gateway requests as with one watcher', async () => {
    await using music = await startMusic({
      answer: (ids, fetch) => ({
        body: {
          code: 'success',
          data: ids.map((id) =>
            fetch >= 6 ? finishedSong(id) : musicTask(id, 'IN_PROGRESS', { progress: `${fetch}%` }),
          ),
        },
      }),
    });
    const ids = Array.from({ length: 10 }, (_, index) => song(`s${index}`));
    const clients = Array.from({ length: 10 }, () => music.app.wsClient());
    const first = collect(subscribe(music.app.wsClient(), TasksProgressDocument, { ids }));
    await music.gateway.waitForFetches(1);
    const watches = clients.flatMap((client) =>
      ids
        .map((id) =>
          Array.from({ length: 3 }, () => collect(subscribe(client, TaskProgressDocument, { id }))),
        )
        .flat(),
    );
    expect(watches).toHaveLength(300);
    while (music.app.app.activity.taskWatchers < 301) await setImmediate();
    const atStart = music.gateway.fetches.length;
    while (music.app.app.activity.polledTasks > 0) {
      music.clock.advance(100);
      await setImmediate();
    }
    const all = await Promise.all(watches);
    expect(all.every((events) => events.at(-1)?.data?.taskProgress.status === 'SUCCEEDED')).toBe(true);
    expect(
      new Set(
        (await first)
          .filter(({ data }) => data?.tasksProgress.isTerminal)
          .map(({ data }) => data?.tasksProgress.id),
      ).size,
    ).toBe(10);
    const rounds = music.gateway.fetches.length - atStart;
    console.log(
      `300 watchers of 10 songs: ${atStart} requests while they subscribed, ${rounds} while they watched`,
    );
    // Each watcher reads once when it subscribes, in a shared request if possible. After that, all share the rounds.
    expect(rounds).toBeLessThanOrEqual(10);
    for (const fetch of music.gateway.fetches.slice(atStart)) expect(new Set(fetch).size).toBe(fetch.length);
  });

  test('polls quickly at first, then at growing intervals up to TASK_POLL_MAX_SECONDS', async () => {
    await using music = await startMusic({
      answer: (ids) => ({ body: { code: 'success', data: ids.map((id) => musicTask(id)) } }),
    });
    const watch = subscribe(music.app.wsClient(), TaskProgressDocument, { id: song('slow') });
    await watch.next();
    const waits: number[] = [];
    for (let fetch = 2; fetch <= 14; fetch += 1) waits.push(await music.advanceToFetch(fetch));
    expect(waits[0]).toBeLessThanOrEqual(1300);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(8000 * 0.8 - 50);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(8000 * 1.2 + 150);
    await watch.return?.();
  });

  test('obeys Retry-After, continues after failures, and shows failures that persist', async () => {
    let isFailing = false;
    await using music = await startMusic({
      answer: (ids) =>
        isFailing
          ? { status: 429, headers: { 'retry-after': '20' }, body: { message: 'slow down' } }
          : { body: { code: 'success', data: ids.map((id) => musicTask(id)) } },
    });
    const watch = subscribe(music.app.wsClient(), TaskProgressDocument, { id: song('a') });
    expect((await watch.next()).value?.data?.taskProgress.status).toBe('RUNNING');
    isFailing = true;
    await music.advanceToFetch(2);
    expect(await music.advanceToFetch(3)).toBeGreaterThanOrEqual(20_000);
    const failing = watch.next();
    await music.advanceToFetch(5);
    expect((await failing).value?.data?.taskProgress).toMatchObject({
      status: 'RUNNING',
      isTerminal: false,
      readFailure: { message: 'slow down' },
    });
    isFailing = false;
    const recovered = watch.next();
    await music.advanceToFetch(6);
    expect((await recovered).value?.data?.taskProgress).toMatchObject({
      status: 'RUNNING',
      readFailure: null,
    });
    await watch.return?.();
  });

  test('shows a failure after 30 seconds while a longer Retry-After lasts', async () => {
    await using music = await startMusic({
      answer: (ids, fetch) =>
        fetch === 2
          ? { status: 429, headers: { 'retry-after': '600' }, body: { message: 'slow down' } }
          : { body: { code: 'success', data: ids.map((id) => musicTask(id)) } },
    });
    const watch = subscribe(music.app.wsClient(), TaskProgressDocument, { id: song('a') });
    await watch.next();
    await music.advanceToFetch(2);
    const failedAt = music.clock.now();
    let shown: object | undefined;
    const failing = watch.next().then(({ value }) => (shown = value?.data?.taskProgress));
    while (!shown && music.clock.now() < failedAt + 60_000) {
      music.clock.advance(500);
      await setImmediate();
    }
    expect(music.clock.now() - failedAt).toBeGreaterThanOrEqual(30_000);
    expect(shown).toMatchObject({ status: 'RUNNING', readFailure: { code: 'RATE_LIMITED' } });
    await failing;
    expect(await music.advanceToFetch(3)).toBeGreaterThan(500_000);
    await watch.return?.();
  });

  test('obeys Retry-After for new readers too', async () => {
    let isFailing = false;
    await using music = await startMusic({
      answer: (ids) =>
        isFailing
          ? { status: 429, headers: { 'retry-after': '20' }, body: { message: 'slow down' } }
          : { body: { code: 'success', data: ids.map((id) => musicTask(id)) } },
    });
    const client = music.app.wsClient();
    const watch = subscribe(client, TaskProgressDocument, { id: song('a') });
    await watch.next();
    isFailing = true;
    await music.advanceToFetch(2);
    const failureOf = async (id: string) => {
      const query = `{ task(id: "${song(id)}") { status readFailure { code } } }`;
      const { data } = await music.app.run<{ task: { readFailure: object | null } | null }, object>(query);
      return data?.task?.readFailure;
    };
    while (!(await failureOf('a')));
    const before = music.gateway.fetches.length;
    const [refused] = await collect(subscribe(client, TaskProgressDocument, { id: song('b') }));
    expect(refused?.errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 20 });
    music.clock.advance(19_000);
    expect(
      (await music.app.run(`{ task(id: "${song('c')}") { status } }`)).errors?.[0]?.extensions,
    ).toMatchObject({ retryAfterSeconds: 1 });
    expect(music.gateway.fetches.length).toBe(before);
    isFailing = false;
    await music.advanceToFetch(before + 1);
    await watch.return?.();
  });

  test('stops polling when the last watcher leaves', async () => {
    await using music = await startMusic();
    const client = music.app.wsClient();
    const [one, other] = [
      subscribe(client, TaskProgressDocument, { id: song('a') }),
      subscribe(client, TaskProgressDocument, { id: song('a') }),
    ];
    await Promise.all([one.next(), other.next()]);
    const before = music.gateway.fetches.length;
    await one.return?.();
    await music.advanceToFetch(before + 1);
    await other.return?.();
    while (music.app.app.activity.polledTasks > 0) await setImmediate();
    const after = music.gateway.fetches.length;
    music.clock.advance(120_000);
    await setImmediate();
    expect(music.gateway.fetches.length).toBe(after);
  });

  test('fails when no task is known, and skips unknown tasks among known ones', async () => {
    await using music = await startMusic({
      answer: (ids) => ({
        body: { code: 'success', data: ids.filter((id) => id !== 'unknown').map(finishedSong) },
      }),
    });
    const client = music.app.wsClient();
    const [refused] = await collect(subscribe(client, TaskProgressDocument, { id: song('unknown') }));
    expect(refused?.errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND');
    const events = await collect(
      subscribe(client, TasksProgressDocument, {
        ids: [song('a'), song('unknown'), 'nonsense', song('b'), song('a')],
      }),
    );
    expect(events.map(({ data }) => data?.tasksProgress.id)).toEqual([song('a'), song('b')]);
    const many = await collect(
      subscribe(client, TasksProgressDocument, {
        ids: Array.from({ length: 101 }, (_, index) => song(String(index))),
      }),
    );
    expect(many[0]?.errors?.[0]?.extensions?.['code']).toBe('LIMIT_EXCEEDED');
    expect(await collect(subscribe(client, TasksProgressDocument, { ids: [] }))).toEqual([]);
  });
});

describe('generationChanged', () => {
  test('shows new generations and their changes to their owner only', async () => {
    let isDone = false;
    await using music = await startMusic({
      answer: (ids) => ({
        body: { code: 'success', data: ids.map((id) => (isDone ? finishedSong(id) : musicTask(id))) },
      }),
    });
    const feed = subscribe(music.app.wsClient(), GenerationChangedDocument, {});
    const stranger = subscribe(
      music.app.wsClient({ connectionParams: { authorization: 'Bearer stranger' } }),
      GenerationChangedDocument,
      {},
    );
    const [made, unseen] = [feed.next(), stranger.next()];
    while (music.app.app.activity.feeds < 2) await setImmediate();
    const { data } = await music.app.run(CreateSongDocument, {
      input: { description: 'x', model: 'SONG_V5' },
    });
    if (data?.createSong?.__typename !== 'Generation' || !data.createSong.task)
      throw new Error(JSON.stringify(data));
    expect((await made).value?.data?.generationChanged).toMatchObject({
      generation: { id: data.createSong.id, status: 'QUEUED' },
    });
    const ended = feed.next();
    isDone = true;
    await music.app.run('query ($id: ID!) { task(id: $id) { status } }', { id: data.createSong.task.id });
    expect((await ended).value?.data?.generationChanged).toMatchObject({
      generation: { id: data.createSong.id, status: 'SUCCEEDED', assets: [{ kind: 'AUDIO' }] },
    });
    await stranger.return?.();
    expect((await unseen).value).toBeUndefined();
    await feed.return?.();
  });
});
