import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeSpeedReply, decodeSpeedTask } from '../../src/capabilities/music/wire.ts';
import { AdjustSongSpeedDocument, type AdjustSongSpeedInput } from '../../src/client/documents.generated.ts';
import { startApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong } from '../support/fake-music.ts';

const path = '/music/submit/adjust-speed';
/** A clip that exists in every sandbox. */
const clipId = '5a0d0000-0000-4000-8000-000000000001';
const plain: AdjustSongSpeedInput = { clipId, speed: 1.5 };

describe('adjustSongSpeed', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { taskSeconds: 0 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const adjust = async (changes: Partial<AdjustSongSpeedInput> = {}, idempotencyKey?: string) => {
    const { data, errors } = await app.run(AdjustSongSpeedDocument, {
      input: { ...plain, ...changes },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    expect(errors).toBeUndefined();
    return data?.adjustSongSpeed;
  };
  /** Paths of all issues. Also checks that a rejected input sends no request. */
  const problemsOf = async (changes: Partial<AdjustSongSpeedInput>) => {
    const before = app.sandbox.activity.count();
    const refused = await adjust(changes);
    expect(app.sandbox.activity.count()).toBe(before);
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    return refused.issues.map((issue) => issue.path.slice(1).join('.'));
  };
  const lastBody = () => app.sandbox.activity.requests(path).at(-1)?.body;
  const songOf = (made: Awaited<ReturnType<typeof adjust>>) => {
    if (made?.__typename !== 'Generation' || made.output?.__typename !== 'SongList')
      throw new Error(JSON.stringify(made));
    return made.output.songs[0];
  };

  test('sends every member under its wire name and omits absent members', async () => {
    await adjust();
    expect(lastBody()).toEqual({ clip_id: clipId, speed: 1.5 });
    await adjust({ keepPitch: false });
    expect(lastBody()).toEqual({ clip_id: clipId, speed: 1.5, keep_pitch: false });
  });

  test.each([
    ['speed', 0.249, 0.25],
    ['speed', 4.001, 4],
    ['clipId', ' ', clipId],
  ] as const)('refuses %s %j and accepts %j', async (member, bad, good) => {
    expect(await problemsOf({ [member]: bad })).toEqual([member]);
    expect(await adjust({ [member]: good })).toMatchObject({ __typename: 'Generation' });
  });

  test('reports all problems at once', async () => {
    expect(
      await problemsOf({ clipId: '', speed: 0, extra: { speed: 1, keep_pitch: true, stream: true } }),
    ).toEqual(['clipId', 'extra.keep_pitch', 'extra.speed', 'extra.stream', 'speed']);
  });

  test('returns a song whose duration matches its speed, without a task', async () => {
    const [half, twice] = [songOf(await adjust({ speed: 0.5 })), songOf(await adjust({ speed: 2 }))];
    expect((half?.durationSeconds ?? 0) / (twice?.durationSeconds ?? 1)).toBeCloseTo(4, 0);
    // The tests of the sandbox play it.
    expect(twice?.audioUrl).toMatch(new RegExp(`^${app.sandbox.url}/assets/media/[\\w-]+\\.mp3$`));
    const made = await adjust({ clipId: twice?.clipId ?? '', speed: 0.5, keepPitch: true });
    if (made?.__typename !== 'Generation') throw new Error(JSON.stringify(made));
    const query = `query ($id: ID!) { generation(by: { id: $id }) {
      kind status isTerminal isCancelable finishedAt task { id } assets { kind } raw } }`;
    const { data } = await app.run<{ generation: object }, object>(query, { id: made.id });
    expect(data?.generation).toMatchObject({
      kind: 'SONG_SPEED',
      status: 'SUCCEEDED',
      isTerminal: true,
      isCancelable: false,
      finishedAt: expect.any(String),
      task: null,
      assets: [{ kind: 'AUDIO' }, { kind: 'VIDEO' }, { kind: 'IMAGE' }],
      raw: { code: 'success' },
    });
  });

  test('with the same key is sent once', async () => {
    const before = app.sandbox.activity.count(path);
    const first = await adjust({}, 'once');
    expect(await adjust({}, 'once')).toEqual(first);
    expect(await adjust({ speed: 2 }, 'once')).toMatchObject({ __typename: 'IdempotencyConflictError' });
    expect(app.sandbox.activity.count(path)).toBe(before + 1);
  });

  test("for an unknown clip returns the gateway's refusal and releases the key", async () => {
    expect(await adjust({ clipId: 'nobody' }, 'k')).toMatchObject({
      __typename: 'GatewayError',
      message: 'clip_id: there is no clip nobody',
    });
    expect(await adjust({}, 'k')).toMatchObject({ __typename: 'Generation' });
  });
});

describe('the reader of speed replies', () => {
  const clip = { id: 'c', audio_url: 'http://x/a.mp3', title: 'T', metadata: { duration: 20 } };
  const song = { clipId: 'c', audioUrl: 'http://x/a.mp3', title: 'T', durationSeconds: 20 };

  test.each<readonly [string, unknown, readonly object[]]>([
    ['a clip in data', { code: 'success', message: '', data: clip }, [song]],
    [
      'a list of clips in data',
      { code: 200, data: [clip, { ...clip, id: 'd' }] },
      [song, { ...song, clipId: 'd' }],
    ],
    ['clips within data', { data: { clips: [clip] } }, [song]],
    ['a task within data', { data: { task_id: 't', data: [clip] } }, [song]],
    ['no envelope', clip, [song]],
    ['a list and no envelope', [clip], [song]],
    [
      'a duration as text',
      { data: { ...clip, metadata: { duration: '12.5' } } },
      [{ ...song, durationSeconds: 12.5 }],
    ],
    [
      'a duration that is no number',
      { data: { ...clip, metadata: { duration: 'long' }, duration: '7' } },
      [{ ...song, durationSeconds: 7 }],
    ],
    ['an id in a clip only', { data: { clip_id: 'c' } }, [{ clipId: 'c' }]],
    ['an address only', { data: 'https://x/a.mp3' }, [{ audioUrl: 'https://x/a.mp3' }]],
    ['an address in a clip only', { data: { url: 'https://x/a.mp3' } }, [{ audioUrl: 'https://x/a.mp3' }]],
    [
      'an invalid address in a clip',
      { data: { id: 'c', audio_url: '/a', url: 'https://x/a.mp3', video_url: 'javascript:alert(1)' } },
      [{ clipId: 'c', audioUrl: 'https://x/a.mp3' }],
    ],
    ['a list of ids', { data: ['c', 'd'] }, [{ clipId: 'c' }, { clipId: 'd' }]],
    ['an envelope without data', { code: 'success', message: 'ok' }, []],
    ['null', { code: 'success', data: null }, []],
    ['wrong types', { data: [null, true, [], {}, { clips: [3, {}] }, ''] }, []],
    ['a sentence', { data: 'The clip is ready soon' }, []],
    ['a list of sentences', { data: ['The clip is ready soon', 'c'] }, [{ clipId: 'c' }]],
  ])('finds the songs in %s', (_name, reply, songs) => {
    const result = decodeSpeedReply(reply as never);
    expect(decodeSpeedTask(reply as never)).toBeUndefined();
    expect(result.error).toBeUndefined();
    expect(result.output).toMatchObject({ type: 'song-list' });
    expect(JSON.parse(JSON.stringify(result.output))).toMatchObject({ songs });
    expect((result.output as { songs?: unknown[] } | undefined)?.songs).toHaveLength(songs.length);
  });

  test.each<readonly [string, unknown, string, string]>([
    ['an id as data', { code: 'success', data: 'task-99' }, 'task-99', 'QUEUED'],
    ['a number as data', { data: 7 }, '7', 'QUEUED'],
    ['a task id in data', { data: { task_id: 't' } }, 't', 'UNKNOWN'],
    ['a task without clips', { data: { task_id: 't', status: 'NOT_START', data: [] } }, 't', 'QUEUED'],
    ['a task with unfinished clips', { data: { task_id: 't', data: [{ id: 'c' }] } }, 't', 'UNKNOWN'],
    ['an id with a status', { id: 'c9', status: 'queued' }, 'c9', 'QUEUED'],
    ['an id with a status in data', { data: { id: 'c9', state: 'processing' } }, 'c9', 'RUNNING'],
    ['an unfinished clip in a list', { data: [{ id: 'c9', status: 'submitted' }] }, 'c9', 'QUEUED'],
    ['a status beside the id', { status: 'queued', data: { id: 'c9' } }, 'c9', 'QUEUED'],
    ['an unknown status', { id: 'c9', status: 'odd' }, 'c9', 'UNKNOWN'],
  ])('finds the task in %s', (_name, reply, upstreamId, status) => {
    expect(decodeSpeedTask(reply as never)).toMatchObject({ upstreamId, reading: { status, raw: reply } });
  });

  test.each<readonly [string, unknown]>([
    ['a finished clip', { id: 'c', status: 'complete' }],
    ['a failed clip', { data: { id: 'c', status: 'error' } }],
    ['a failed task', { data: { task_id: 't', status: 'FAILURE' } }],
    ['a finished clip of a task', { task_id: 't', clips: [{ id: 'c', status: 'complete' }] }],
    ['prose', { data: 'submitted to the queue' }],
    ['an envelope that succeeded', { status: 'success', data: { id: 'c' } }],
  ])('finds no task in %s', (_name, reply) => {
    expect(decodeSpeedTask(reply as never)).toBeUndefined();
  });

  test.each(['{"code":"success","message":"","data":"task-99"}', '{"id":"task-99","status":"queued"}'])(
    'follows the task of the reply %s like other songs',
    async (body) => {
      const gateway = await startFakeGateway((request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(request.url === path ? body : JSON.stringify({ data: [finishedSong('task-99')] }));
      });
      await using app = await startApp({ gatewayUrl: gateway.url });
      const created = await app.run<{ adjustSongSpeed: object }, object>(
        `mutation { adjustSongSpeed(input: {clipId: "c", speed: 2}, idempotencyKey: "k") {
        ... on Generation { status isTerminal output { __typename } task { id kind tracking } }
      } }`,
      );
      expect(created.data?.adjustSongSpeed).toMatchObject({
        task: { kind: 'SONG_SPEED', tracking: 'POLLED', id: expect.any(String) },
      });
      const query = `{ generations { edges { node {
      kind status isTerminal output { ... on SongList { songs { clipId audioUrl } } } task { status } } } } }`;
      await app.run('{ generations { edges { node { task { status } } } } }');
      const { data } = await app.run<{ generations: { edges: { node: object }[] } }, object>(query);
      expect(data?.generations.edges.map(({ node }) => node)).toEqual([
        {
          kind: 'SONG_SPEED',
          status: 'SUCCEEDED',
          isTerminal: true,
          output: { songs: [{ clipId: 'clip-task-99', audioUrl: 'http://127.0.0.1/task-99.mp3' }] },
          task: { status: 'SUCCEEDED' },
        },
      ]);
      expect(gateway.requests.filter((request) => request === `POST ${path}`)).toHaveLength(1);
    },
  );

  test("decodes a failed clip as a failure with the gateway's message", () => {
    const failed = { id: 'c', status: 'error', metadata: { error_message: 'too short' } };
    expect(decodeSpeedReply({ data: failed }).error).toMatchObject({ message: 'too short' });
    expect(decodeSpeedReply({ data: [failed, clip] }).error).toBeUndefined();
    expect(decodeSpeedReply({ id: 'c', error: { message: 'no' } }).error).toMatchObject({ message: 'no' });
  });

  test.each([
    ['{"code":"success","message":"","data":null}', { __typename: 'Generation', status: 'SUCCEEDED' }],
    ['{}', { __typename: 'Generation', status: 'FAILED' }],
    ['{"data":[]}', { __typename: 'Generation', status: 'FAILED' }],
    ['{"message":"no","data":{}}', { __typename: 'Generation', status: 'FAILED' }],
    ['{"ok":true}', { __typename: 'Generation', status: 'SUCCEEDED' }],
    ['{"code":"fail","message":"no such clip"}', { __typename: 'GatewayError', message: 'no such clip' }],
    [
      '{"code":"fail","message":"no such clip","data":"The clip is gone"}',
      { __typename: 'GatewayError', message: 'no such clip' },
    ],
    ['{"code":"fail","message":"no such clip","data":{}}', { __typename: 'GatewayError' }],
    ['{"success":false,"message":"no"}', { __typename: 'GatewayError', message: 'no' }],
    ['{"code":401,"message":"no"}', { __typename: 'AuthenticationError', message: 'no' }],
    ['{"code":504,"message":"no"}', { __typename: 'OutcomeUnknownError' }],
    ['{"error":{"code":524,"message":"no"}}', { __typename: 'OutcomeUnknownError' }],
    ['', { __typename: 'OutcomeUnknownError' }],
    ['<html></html>', { __typename: 'OutcomeUnknownError' }],
  ])('is used by the mutation for the reply %s', async (body, expected) => {
    const gateway = await startFakeGateway((_request, response) => void response.end(body));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data } = await app.run(AdjustSongSpeedDocument, { input: plain });
    expect(data?.adjustSongSpeed).toMatchObject(expected);
    if (data?.adjustSongSpeed?.__typename !== 'Generation') return;
    const isMade = data.adjustSongSpeed.status === 'SUCCEEDED';
    expect(data.adjustSongSpeed.output?.__typename).toBe(isMade ? 'SongList' : undefined);
    const raw = await app.run<{ generation: { raw: unknown } }, object>(
      'query ($id: ID!) { generation(by: { id: $id }) { raw } }',
      { id: data.adjustSongSpeed.id },
    );
    expect(raw.data?.generation.raw).toEqual(JSON.parse(body));
  });
});
