import { describe, expect, test } from 'vitest';
import {
  CreateSongDocument,
  GenerationDocument,
  TaskByHandleDocument,
  TaskDocument,
  TasksDocument,
} from '../../src/client/documents.generated.ts';
import { packId } from '../../src/lib/ids.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { finishedSong, musicTask, startFakeMusic, type FakeMusicOptions } from '../support/fake-music.ts';

const song = (id: string): string => packId('task', ['SONG', id]);
const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `up-${index}`);

async function startMusic(options: FakeMusicOptions = {}) {
  const gateway = await startFakeMusic(options);
  const app = await startApp({ gatewayUrl: gateway.url });
  return { app, gateway, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const aliased = (ids: readonly string[], selection = 'id status'): string =>
  `{ ${ids.map((id, index) => `t${index}: task(id: "${id}") { ${selection} }`).join(' ')} }`;

async function statuses(app: TestApp, ids: readonly string[]): Promise<readonly (string | null)[]> {
  const { data, errors } = await app.run(TasksDocument, { ids });
  expect(errors).toBeUndefined();
  return data?.tasks?.map((task) => task?.status ?? null) ?? [];
}

describe('reading tasks', () => {
  test('reads 100 music tasks in one request, from one list or from 100 aliases', async () => {
    await using music = await startMusic();
    const ids = numbered(100).map(song);
    expect(new Set(await statuses(music.app, ids))).toEqual(new Set(['RUNNING']));
    expect(music.gateway.fetches.map(({ length }) => length)).toEqual([100]);
    const { data, errors } = await music.app.run<Record<string, { status: string }>, object>(aliased(ids));
    expect(errors).toBeUndefined();
    expect(Object.values(data ?? {}).map(({ status }) => status)).toHaveLength(100);
    expect(music.gateway.fetches.map(({ length }) => length)).toEqual([100, 100]);
  });

  test('reads a task once for all fields that select it', async () => {
    await using music = await startMusic();
    const id = song('one');
    const handle = '{ kind: SONG, upstreamId: "one" }';
    const { errors } = await music.app.run(
      `{ ${Array.from({ length: 10 }, (_, index) => `a${index}: task(id: "${id}") { status }`).join(' ')} tasks(ids: ["${id}", "${id}"]) { status } node(id: "${id}") { ... on Task { status } } taskByHandle(handle: ${handle}) { status } }`,
    );
    expect(errors).toBeUndefined();
    expect(music.gateway.fetches).toEqual([['one']]);
  });

  test('sends no request when the selection needs only the id, fragments included', async () => {
    await using music = await startMusic();
    const { data, errors } = await music.app.run<{ task: object; named: object; spread: object }, object>(
      `query { task(id: "${song('one')}") { id kind tracking upstreamId __typename } named: task(id: "${song('two')}") { ...F } spread: node(id: "${song('three')}") { id ... on Task { tracking } } } fragment F on Task { id kind generation { id } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      task: { id: song('one'), kind: 'SONG', tracking: 'POLLED', upstreamId: 'one', __typename: 'Task' },
      named: { id: song('two'), kind: 'SONG', generation: null },
      spread: { id: song('three'), tracking: 'POLLED' },
    });
    expect(music.gateway.fetches).toEqual([]);
  });

  test.each([
    [
      'fewer tasks',
      (ids: readonly string[]) => ids.slice(1).map((id) => finishedSong(id)),
      [null, 'SUCCEEDED', 'SUCCEEDED'],
    ],
    [
      'additional tasks',
      (ids: readonly string[]) => [
        finishedSong('foreign'),
        ...ids.map((id) => musicTask(id)),
        finishedSong('stranger'),
      ],
      ['RUNNING', 'RUNNING', 'RUNNING'],
    ],
    [
      'tasks in another order',
      (ids: readonly string[]) =>
        ids.toReversed().map((id, index) => (index === 0 ? finishedSong(id) : musicTask(id))),
      ['RUNNING', 'RUNNING', 'SUCCEEDED'],
    ],
    [
      'a task twice',
      (ids: readonly string[]) =>
        [...ids, ids[0] ?? ''].map((id, index) => (index === 3 ? finishedSong(id) : musicTask(id))),
      ['RUNNING', 'RUNNING', 'RUNNING'],
    ],
    ['no tasks', () => [], [null, null, null]],
    [
      'invalid items among the tasks',
      (ids: readonly string[]) => [null, 5, 'x', [], {}, { task_id: {} }, ...ids.map((id) => musicTask(id))],
      ['RUNNING', 'RUNNING', 'RUNNING'],
    ],
    ['data of another type', () => 'queued', [null, null, null]],
  ])('matches tasks by id when the gateway returns %s', async (_name, answer, expected) => {
    await using music = await startMusic({
      answer: (ids) => ({ body: { code: 'success', data: answer(ids) } }),
    });
    expect(await statuses(music.app, ['a', 'b', 'c'].map(song))).toEqual(expected);
  });

  test('reports a failed read only for its own tasks', async () => {
    await using music = await startMusic({ answer: () => ({ status: 500, body: 'no' }) });
    const { data, errors } = await music.app.run<Record<string, unknown>, object>(
      `{ broken: task(id: "${song('a')}") { id status } free: task(id: "${song('b')}") { id } unknown: task(id: "nothing") { id status } }`,
    );
    expect(data).toEqual({ broken: null, free: { id: song('b') }, unknown: null });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({
      path: ['broken'],
      extensions: { code: 'GATEWAY_ERROR', status: 500 },
    });
  });

  test('finds nothing for invalid task ids and sends no request', async () => {
    await using music = await startMusic();
    const bad = [
      '',
      'task',
      'task_',
      'task_!',
      packId('task', []),
      packId('task', ['SONG']),
      packId('task', ['SONG', '']),
      packId('task', ['SONG', '..']),
      packId('task', ['SONG', 'a/b']),
      packId('task', ['SONG', 'a', 'b', 'c']),
      packId('task', ['CHAT', 'x']),
      packId('task', ['NOPE', 'x']),
      packId('task', ['__proto__', 'x']),
      packId('task', ['SONG', 'x'.repeat(501)]),
      packId('voice', ['preset', 'x']),
      `${song('a')}x`,
      'generation_abc',
    ];
    expect(await statuses(music.app, bad)).toEqual(bad.map(() => null));
    expect(music.gateway.fetches).toEqual([]);
    const many = await music.app.run(TasksDocument, { ids: numbered(101).map(song) });
    expect(many.errors?.[0]?.extensions?.['code']).toBe('LIMIT_EXCEEDED');
    const odd = await music.app.run(TaskByHandleDocument, { handle: { kind: 'SONG', upstreamId: '../x' } });
    expect(odd.errors?.[0]?.extensions?.['code']).toBe('BAD_REQUEST');
    expect(music.gateway.fetches).toEqual([]);
  });

  test('returns an ended task from the record, and its generation ends with it', async () => {
    await using music = await startMusic({
      answer: (ids) => ({ body: { code: 'success', data: ids.map(finishedSong) } }),
    });
    const made = await music.app.run(CreateSongDocument, {
      input: { description: 'a song', model: 'SONG_V5' },
    });
    if (made.data?.createSong?.__typename !== 'Generation' || !made.data.createSong.task)
      throw new Error(JSON.stringify(made));
    const { id, task } = made.data.createSong;
    for (let round = 0; round < 3; round += 1) {
      const { data } = await music.app.run(TaskDocument, { id: task.id });
      expect(data?.task).toMatchObject({
        status: 'SUCCEEDED',
        progress: 1,
        isTerminal: true,
        generation: { id, assets: [{ kind: 'AUDIO', url: 'http://127.0.0.1/song-1.mp3' }] },
      });
    }
    expect(music.gateway.fetches).toHaveLength(1);
    const { data } = await music.app.run(GenerationDocument, { by: { id } });
    expect(data?.generation).toMatchObject({
      status: 'SUCCEEDED',
      isTerminal: true,
      output: { __typename: 'SongList' },
    });
  });

  test("reads the task with the caller's credential and never shows another owner's record", async () => {
    await using music = await startMusic();
    const made = await music.app.run(CreateSongDocument, {
      input: { description: 'a song', model: 'SONG_V5' },
    });
    if (made.data?.createSong?.__typename !== 'Generation' || !made.data.createSong.task)
      throw new Error(JSON.stringify(made));
    const other = { headers: { authorization: 'Bearer somebody-else' } };
    const { data } = await music.app.run(TaskDocument, { id: made.data.createSong.task.id }, other);
    expect(data?.task).toMatchObject({ status: 'RUNNING', generation: null });
    expect(music.gateway.fetches).toEqual([['song-1']]);
    expect(
      (await music.app.run(GenerationDocument, { by: { id: made.data.createSong.id } }, other)).data
        ?.generation,
    ).toBeNull();
  });

  test('works by id and by handle on an instance without a record of the task', async () => {
    await using music = await startMusic({
      answer: (ids) => ({ body: { code: 'success', data: ids.map(finishedSong) } }),
    });
    const byHandle = await music.app.run(TaskByHandleDocument, {
      handle: { kind: 'SONG', upstreamId: 'made-elsewhere' },
    });
    expect(byHandle.data?.taskByHandle).toMatchObject({
      id: song('made-elsewhere'),
      status: 'SUCCEEDED',
      upstreamId: 'made-elsewhere',
    });
    await using second = await startApp({ gatewayUrl: music.gateway.url });
    const byId = await second.run(TaskDocument, { id: byHandle.data?.taskByHandle?.id ?? '' });
    expect(byId.data?.task).toMatchObject({ status: 'SUCCEEDED', output: { __typename: 'SongList' } });
  });
});
