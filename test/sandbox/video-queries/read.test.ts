import { describe, expect, test } from 'vitest';
import { createKey, readError, readJson, startSandbox } from '../support.ts';
import { createClient, createTime, download, startOfTime } from '../tasks/support.ts';
import { readVideo } from '../media/mp4.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox);

interface QueryReply {
  code: number;
  message: string;
  request_id: string;
  data: {
    task_id: string;
    task_status: string;
    task_status_msg: string;
    created_at: number;
    updated_at: number;
    task_result: { videos?: { id: string; url: string; duration: string }[] };
  };
}

describe.each([
  { path: '/videoa/v1/videos/multi-image2video', width: 320, height: 180 },
  { path: '/videoa/v1/videos/advanced-lip-sync', width: 180, height: 320 },
])('GET $path/{id}', ({ path, width, height }) => {
  const read = (id: string, from = client): Promise<QueryReply> => from.read<QueryReply>(`${path}/${id}`);
  const readStatus = async (id: string): Promise<string> => (await read(id)).data.task_status;

  test('shows a task that begins at its first read', async () => {
    const startedAt = time.clock();
    expect(startedAt).toBeGreaterThanOrEqual(startOfTime);
    const first = await read('demo');
    expect(first).toEqual({
      code: 0,
      message: 'SUCCEED',
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      data: {
        task_id: 'demo',
        task_status: 'submitted',
        task_status_msg: '',
        created_at: startedAt,
        updated_at: startedAt,
        task_result: {},
      },
    });
    time.advance(5);
    expect((await read('demo')).data).toMatchObject({
      task_status: 'processing',
      updated_at: startedAt + 2000,
    });
    time.advance(7);
    const { data } = await read('demo');
    expect(data).toEqual({
      ...first.data,
      task_status: 'succeed',
      updated_at: startedAt + 10_000,
      task_result: { videos: [{ id: 'demo-video', url: expect.any(String), duration: '5' }] },
    });
    const video = await readVideo(await download(data.task_result.videos?.[0]?.url ?? ''));
    expect(video).toMatchObject({ width, height });
    expect(video.seconds).toBeCloseTo(5, 1);
  });

  test('begins separately for each token', async () => {
    await read('shared');
    time.advance(20);
    expect(await readStatus('shared')).toBe('succeed');
    const other = createClient(sandbox, await createKey(sandbox, { remain_quota: 0 }));
    expect((await read('shared', other)).data.task_status).toBe('submitted');
  });

  test('takes the seconds at the end of its id', async () => {
    await read('trip-100');
    time.advance(99);
    expect(await readStatus('trip-100')).toBe('processing');
    time.advance(1);
    expect(await readStatus('trip-100')).toBe('succeed');
    expect(await readStatus('trip-0')).toBe('succeed');
  });

  test('takes an id that was made elsewhere', async () => {
    for (const id of ['735810293847561234', '3f0c1f1e-1d2b-4c3d-8e4f-5a6b7c8d9e0f', 'Az_9.x:y']) {
      expect((await read(id)).data).toMatchObject({ task_id: id, task_status: 'submitted' });
    }
  });

  test.each<[string, number, string]>([
    ['demo-failed', 5, 'processing'],
    ['demo-failed', 10, 'failed'],
    ['demo-stuck', 1000, 'processing'],
    ['demo-unknown-status', 5, 'simmering'],
    ['demo-contradict', 5, 'succeed'],
    ['demo-contradict-late', 10, 'processing'],
    ['demo-failed-100', 50, 'processing'],
    ['demo-failed-100', 60, 'failed'],
  ])('%s after %i s: %s', async (id, seconds, status) => {
    const fresh = createClient(sandbox, await createKey(sandbox));
    await read(id, fresh);
    time.advance(seconds);
    const { data } = await read(id, fresh);
    expect(data.task_status).toBe(status);
    expect(data.task_status_msg === '').toBe(status !== 'failed');
    expect(data.task_result.videos !== undefined).toBe(id === 'demo-contradict-late');
  });

  test('fails every second read of a flaky task', async () => {
    await read('demo-flaky-read');
    expect((await client.send('GET', `${path}/demo-flaky-read`)).status).toBe(503);
    await read('demo-flaky-read');
  });

  test.each(['missing', 'missing-5', 'missing_task'])('does not know %s', async (id) => {
    const response = await client.send('GET', `${path}/${id}`);
    expect(response.status).toBe(404);
    expect(await readJson(response)).toEqual({
      code: 1203,
      message: `Task not found: ${id}`,
      request_id: expect.any(String),
    });
  });

  test.each(['a%20b', 'a%2Fb', 'x'.repeat(129), 'demo?verbose=1'])('refuses %s', async (id) => {
    const error = await readError(await client.send('GET', `${path}/${id}`));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('takes a Bearer key and nothing else', async () => {
    for (const headers of [{}, { authorization: sandbox.apiKey }, { 'api-key': sandbox.apiKey }]) {
      expect((await fetch(`${sandbox.url}${path}/demo`, { headers })).status).toBe(401);
    }
    const response = await client.post(`${path}/demo`, {});
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
