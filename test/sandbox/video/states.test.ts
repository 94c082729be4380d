import { describe, expect, test } from 'vitest';
import { createKey, startSandbox } from '../support.ts';
import {
  characterVideoRequest,
  createClient,
  createTime,
  download,
  imagesVideoRequest,
  startOfTime,
  type VideoTask,
} from '../tasks/support.ts';
import { readVideo } from '../media/mp4.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox);
const instant = createClient(await startSandbox({ taskSeconds: 0 }));

function create(body: object, from = client): Promise<VideoTask> {
  return from.create<VideoTask>('/v1/video/create', body);
}

function read({ id }: VideoTask, from = client): Promise<VideoTask> {
  return from.read<VideoTask>(`/v1/video/query?id=${encodeURIComponent(id)}`);
}

describe('a video', () => {
  test('is pending, processing and completed over time', async () => {
    const created = await create(imagesVideoRequest);
    const seconds = startOfTime / 1000;
    expect(created).toEqual({
      id: expect.stringMatching(/^sora-2:task_[a-z0-9]{26}$/),
      status: 'pending',
      status_update_time: seconds,
    });
    expect(await read(created)).toEqual({ ...created, progress: 0, video_url: null, error: null });
    time.advance(5);
    expect(await read(created)).toMatchObject({
      status: 'processing',
      status_update_time: seconds + 2,
      progress: 50,
      video_url: null,
    });
    time.advance(7);
    expect(await read(created)).toMatchObject({
      status: 'completed',
      status_update_time: seconds + 10,
      progress: 100,
      video_url: expect.stringMatching(/\.mp4$/),
      error: null,
    });
  });

  test('is visible only to its token, by its id', async () => {
    const { id } = await create(imagesVideoRequest);
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    expect((await other.send('GET', `/v1/video/query?id=${id}`)).status).toBe(404);
    expect((await client.send('GET', '/v1/video/query?id=sora-2:nothing')).status).toBe(404);
    expect((await client.send('GET', '/v1/video/query')).status).toBe(400);
    expect((await client.send('GET', `/v1/video/query?task=${id}`)).status).toBe(400);
  });

  test.each([
    ['landscape', 'small', 320, 180],
    ['portrait', 'large', 270, 480],
  ])('is %s and %s: %i x %i', async (orientation, size, width, height) => {
    const done = await read(await create({ ...imagesVideoRequest, orientation, size }, instant), instant);
    const video = await readVideo(await download(done.video_url ?? ''));
    expect(video).toMatchObject({ width, height, pictures: 80, hasSound: false });
    expect(video.seconds).toBeCloseTo(10, 1);
    expect(video.keyTimes).toHaveLength(10);
  });

  test('has the requested length', async () => {
    const done = await read(
      await create({ ...characterVideoRequest, size: 'small', duration: 25 }, instant),
      instant,
    );
    expect((await readVideo(await download(done.video_url ?? ''))).seconds).toBeCloseTo(25, 1);
  });
});

describe('a character', () => {
  test.each([
    { character_url: 'https://example.com/a-real-person.mp4' },
    { prompt: 'a fox fault:real-person' },
  ])('cannot be a real person: %j', async (changes) => {
    const created = await create({ ...characterVideoRequest, ...changes });
    expect(created.status).toBe('pending');
    time.advance(5);
    expect(await read(created)).toMatchObject({ status: 'processing', error: null });
    time.advance(5);
    expect(await read(created)).toMatchObject({
      status: 'failed',
      video_url: null,
      error: { code: 'character_creation_failed', message: expect.stringContaining('real person') },
    });
  });

  test('is created only if the request has its video', async () => {
    const body = { model: 'sora-2', prompt: 'a fox fault:real-person', size: 'small' };
    expect(await read(await create(body, instant), instant)).toMatchObject({ status: 'completed' });
  });
});
