import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeSubmission, decodeTask } from '../../src/capabilities/music/wire.ts';
import {
  CreateSongCoverDocument,
  type CreateSongCoverInput,
  CreateSongDocument,
  type CreateSongInput,
  TaskDocument,
  TasksProgressDocument,
} from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../support/app.ts';
import { startRecorded } from '../support/recording-gateway.ts';

const path = '/music/submit/music';
const song: CreateSongInput = { description: 'a calm piano song about rain', model: 'SONG_V5' };
const cover: CreateSongCoverInput = { clipId: 'x', isInstrumental: true };

describe('music', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { taskSeconds: 0 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const lastBody = () => app.sandbox.activity.requests(path).at(-1)?.body;
  const create = async (input: CreateSongInput) =>
    (await app.run(CreateSongDocument, { input })).data?.createSong;
  const createCover = async (input: CreateSongCoverInput) =>
    (await app.run(CreateSongCoverDocument, { input })).data?.createSongCover;

  test.each([
    ['SONG_V5_5', 'song-v5-5'],
    ['SONG_V5', 'song-v5'],
    ['SONG_V4_5_PLUS', 'song-v4-5+'],
    ['SONG_V4_5', 'song-v4-5'],
    ['SONG_V4_5_ALL', 'song-v4-5-all'],
    ['SONG_V4', 'song-v4'],
    ['SONG_V3_5', 'song-v3-5'],
  ] as const)('by model %s goes out as %s, with all that is required', async (model, wire) => {
    expect(await create({ ...song, model })).toMatchObject({ __typename: 'Generation' });
    expect(lastBody()).toEqual({
      gpt_description_prompt: song.description,
      make_instrumental: false,
      mv: wire,
    });
  });

  test('from a description returns two playable clips that can be covered', async () => {
    const made = await create({ ...song, isInstrumental: true });
    if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
    expect(lastBody()).toMatchObject({ make_instrumental: true });
    const { data } = await app.run(TaskDocument, { id: made.task.id });
    const output = data?.task?.output;
    if (output?.__typename !== 'SongList') throw new Error(JSON.stringify(data));
    expect(output.songs).toHaveLength(2);
    // The tests of the sandbox play them.
    for (const { audioUrl } of output.songs)
      expect(audioUrl).toMatch(new RegExp(`^${app.sandbox.url}/assets/media/[\\w-]+\\.mp3$`));
    const clipId = output.songs[0]?.clipId ?? '';
    const covered = await createCover({
      clipId,
      lyrics: 'la la la',
      style: 'jazz',
      title: 'Again',
      model: 'SONG_V4_5_PLUS',
    });
    if (covered?.__typename !== 'Generation' || !covered.task) throw new Error(JSON.stringify(covered));
    expect(lastBody()).toEqual({
      mv: 'song-v4-5+',
      make_instrumental: false,
      prompt: 'la la la',
      tags: 'jazz',
      title: 'Again',
      cover_clip_id: clipId,
    });
    const events = await collect(
      subscribe(app.wsClient(), TasksProgressDocument, { ids: [made.task.id, covered.task.id] }),
    );
    expect(events.map(({ data: event }) => [event?.tasksProgress.kind, event?.tasksProgress.status])).toEqual(
      [
        ['SONG', 'SUCCEEDED'],
        ['SONG_COVER', 'SUCCEEDED'],
      ],
    );
  });

  test('for an instrumental cover sends all six members, with empty text for absent ones', async () => {
    await createCover(cover);
    expect(lastBody()).toEqual({
      mv: 'song-v5',
      make_instrumental: true,
      prompt: '',
      tags: '',
      title: '',
      cover_clip_id: 'x',
    });
  });

  test.each([undefined, null])('a cover with the model %s records the model that it sends', async (model) => {
    const query = `mutation ($input: CreateSongCoverInput!) {
      createSongCover(input: $input) { __typename ... on Generation { model } }
    }`;
    const input = { ...cover, clipId: '5a0d0000-0000-4000-8000-000000000001', model };
    const { data } = await app.run<object, object>(query, { input });
    expect(lastBody()).toMatchObject({ mv: 'song-v5' });
    expect(data).toEqual({ createSongCover: { __typename: 'Generation', model: 'song-v5' } });
  });

  test.each([
    ['an empty description', { ...song, description: '' }, 'description'],
    ['a declared member in extra', { ...song, extra: { mv: 'song-v5' } }, 'extra.mv'],
    ...['prompt', 'tags', 'title', 'cover_clip_id'].map(
      (name) =>
        [`the ${name} of a cover in extra`, { ...song, extra: { [name]: 'x' } }, `extra.${name}`] as const,
    ),
  ] satisfies (readonly [string, CreateSongInput, string])[])('refuses %s', async (_name, input, member) => {
    const before = app.sandbox.activity.count(path);
    const refused = await create(input);
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    expect(refused.issues.map((issue) => issue.path.slice(1).join('.'))).toEqual([member]);
    expect(app.sandbox.activity.count(path)).toBe(before);
  });

  test.each([
    ['vocals without lyrics', { clipId: 'x' }, ['lyrics']],
    [
      'lyrics of 3001 characters and a style of 201',
      { clipId: 'x', lyrics: 'a'.repeat(3001), style: 'b'.repeat(201) },
      ['lyrics', 'style'],
    ],
    ['no clip', { clipId: ' ', isInstrumental: true }, ['clipId']],
    [
      'the description of a song in extra',
      { ...cover, extra: { gpt_description_prompt: 'x' } },
      ['extra.gpt_description_prompt'],
    ],
  ] satisfies [string, CreateSongCoverInput, string[]][])(
    'rejects a cover with %s',
    async (_name, input, members) => {
      const before = app.sandbox.activity.count(path);
      const refused = await createCover(input);
      if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
      expect(refused.issues.map((issue) => issue.path.slice(1).join('.'))).toEqual(members);
      expect(app.sandbox.activity.count(path)).toBe(before);
    },
  );

  test('names the field of a declared member in extra that has another name', async () => {
    const refused = [
      await create({ ...song, extra: { mv: 'song-v5' } }),
      await createCover({ ...cover, extra: { prompt: 'la la la' } }),
    ];
    expect(
      refused.map((reply) => reply?.__typename === 'InvalidInputError' && reply.issues[0]?.message),
    ).toEqual([
      'The field model sets "mv". Remove this member from extra.',
      'The field lyrics sets "prompt". Remove this member from extra.',
    ]);
  });

  test('at its limits is sent', async () => {
    expect(await create({ ...song, description: '𝄞'.repeat(5000) })).toMatchObject({
      __typename: 'Generation',
    });
    await createCover({ clipId: 'x', lyrics: '𝄞'.repeat(3000), style: 'b'.repeat(200) });
    expect(lastBody()).toMatchObject({ tags: 'b'.repeat(200) });
  });

  test.each([
    ['a song', () => create({ ...song, extra: { notify_hook: 'x' } })],
    ['a cover', () => createCover({ ...cover, extra: { notify_hook: 'x' } })],
  ])('with undeclared members is sent as %s', async (_name, send) => {
    const before = app.sandbox.activity.count(path);
    expect((await send())?.__typename).not.toBe('InvalidInputError');
    expect(app.sandbox.activity.count(path)).toBe(before + 1);
    expect(lastBody()).toMatchObject({ notify_hook: 'x' });
  });
});

describe('the reader of music replies', () => {
  test.each([
    ['as text', { data: 't1' }],
    ['as a number', { data: 7 }],
    ['in data', { data: { task_id: 't1' } }],
    ['in a list', { data: [{ id: 't1' }] }],
    ['at the top', { task_id: 't1' }],
  ])('finds a task id %s', (_name, reply) => {
    expect(decodeSubmission(reply as never)?.upstreamId).toMatch(/t1|7/);
  });

  test('finds no task id in a reply without one', () => {
    for (const reply of [{}, [], null, 'x', { data: null }, { data: '' }, { data: {} }, { data: [] }])
      expect(decodeSubmission(reply as never)).toBeUndefined();
  });

  test.each([
    { code: 'error', message: 'no', data: ['The balance is too low'] },
    { code: 202, message: 'Accepted' },
    { detail: 'No such model', request_id: 'r' },
  ])('finds no task id in %j, which may be an acceptance', async (body) => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body });
    const made = await recorded.app.run(CreateSongDocument, { input: song });
    expect(made.data?.createSong).toMatchObject({ __typename: 'OutcomeUnknownError' });
  });

  test.each([
    ['an empty object', {}, 'UNKNOWN'],
    ['null members', { status: null, data: null, progress: null }, 'UNKNOWN'],
    ['members of wrong types', { status: 4, data: 'x', progress: {}, fail_reason: 3 }, 'UNKNOWN'],
    ['success with incomplete clips', { status: 'SUCCESS', data: [{ status: 'queued' }] }, 'RUNNING'],
    ['success with clips still streaming', { status: 'SUCCESS', data: [{ status: 'streaming' }] }, 'RUNNING'],
    [
      'running with finished clips',
      { status: 'IN_PROGRESS', data: [{ status: 'complete', audio_url: 'http://x/a' }] },
      'SUCCEEDED',
    ],
    [
      'running with one of two clips finished',
      {
        status: 'IN_PROGRESS',
        data: [{ status: 'complete', audio_url: 'http://x/a' }, { status: 'streaming' }],
      },
      'RUNNING',
    ],
    [
      'success with one of two clips failed',
      { status: 'SUCCESS', data: [{ status: 'complete', audio_url: 'http://x/a' }, { status: 'error' }] },
      'SUCCEEDED',
    ],
    [
      'success with an invalid address',
      { status: 'SUCCESS', data: [{ status: 'complete', audio_url: '/a.mp3' }] },
      'RUNNING',
    ],
    ['success without clips', { status: 'SUCCESS', data: [] }, 'RUNNING'],
    ['failure with its reason', { status: 'FAILURE', fail_reason: 'no' }, 'FAILED'],
  ])('decodes the status of a task with %s', (_name, task, status) => {
    expect(decodeTask({ task_id: 'a', ...task }).status).toBe(status);
  });

  test('accepts only web addresses as files of a song', () => {
    const clip = {
      id: 'c',
      audio_url: 'http://x/a',
      video_url: 'javascript:alert(1)',
      image_large_url: '/b',
    };
    const task = { task_id: 'a', data: [{ ...clip, image_url: 'http://x/c' }] };
    expect(decodeTask(task).output).toMatchObject({
      songs: [{ audioUrl: 'http://x/a', videoUrl: undefined, imageUrl: 'http://x/c' }],
    });
  });
});

test.each([
  { code: 'quota_exceeded', message: 'too little', data: '' },
  { code: 'quota_exceeded', msg: 'too little' },
])('the reply %j refuses a song and releases its key', async (body) => {
  await using recorded = await startRecorded();
  recorded.gateway.answer({ body });
  const variables = { input: song, idempotencyKey: 'k' };
  const refused = await recorded.app.run(CreateSongDocument, variables);
  expect(refused.data?.createSong).toMatchObject({ __typename: 'QuotaError', message: 'too little' });
  recorded.gateway.answer({ body: { code: 'success', message: '', data: 't-1' } });
  const made = await recorded.app.run(CreateSongDocument, variables);
  expect(made.data?.createSong).toMatchObject({ __typename: 'Generation' });
});

test.each([[[]], ['']])('a refused read beside %j says nothing about a task', async (data) => {
  await using recorded = await startRecorded();
  const refusal = { code: 'fail', message: 'The index is down', data };
  recorded.gateway.answer(({ path: to }) => ({
    body: to === path ? { code: 'success', data: 't-1' } : refusal,
  }));
  const made = await recorded.app.run(CreateSongDocument, { input: song });
  if (made.data?.createSong?.__typename !== 'Generation') throw new Error(JSON.stringify(made));
  const { data: read } = await recorded.app.run<object, object>(
    'query ($id: ID!) { task(id: $id) { status readFailure { code message } } }',
    { id: made.data.createSong.task?.id },
  );
  const readFailure = { code: 'GATEWAY_ERROR', message: 'The index is down' };
  expect(read).toEqual({ task: { status: 'QUEUED', readFailure } });
});
