import { describe, expect, test } from 'vitest';
import { createKey, startSandbox } from '../support.ts';
import {
  createClient,
  createTime,
  download,
  referenceVideoRequest,
  startOfTime,
  type ReferenceVideo,
} from '../tasks/support.ts';
import { readVideo } from '../media/mp4.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox);
const instant = createClient(await startSandbox({ taskSeconds: 0 }));

function create(changes: object = {}, from = client): Promise<ReferenceVideo> {
  return from.create<ReferenceVideo>('/v1/videos/generations', { ...referenceVideoRequest, ...changes });
}

function read({ id }: ReferenceVideo, from = client): Promise<ReferenceVideo> {
  return from.read<ReferenceVideo>(`/v1/videos/${id}`);
}

describe('a video with reference images', () => {
  test('is queued, in progress and completed over time', async () => {
    const created = await create();
    expect(created).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      object: 'video',
      model: 'imagine',
      status: 'queued',
      progress: 0,
      created_at: startOfTime / 1000,
    });
    expect(await read(created)).toEqual(created);
    time.advance(5);
    expect(await read(created)).toEqual({ ...created, status: 'in_progress', progress: 50 });
    time.advance(7);
    expect(await read(created)).toEqual({
      ...created,
      status: 'completed',
      progress: 100,
      completed_at: startOfTime / 1000 + 10,
      video_url: expect.stringMatching(/\.mp4$/),
    });
  });

  test('is visible only to its token', async () => {
    const { id } = await create();
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    expect((await other.send('GET', `/v1/videos/${id}`)).status).toBe(404);
    expect((await client.send('GET', '/v1/videos/nothing')).status).toBe(404);
    expect((await client.send('GET', `/v1/videos/${id}?full=1`)).status).toBe(400);
  });

  test.each([
    ['480p', '16:9', 1, 320, 180],
    ['480p', '1:1', 15, 180, 180],
    ['720p', '9:16', 2, 270, 480],
    ['720p', '16:9', 3, 480, 270],
  ])('in %s and %s of %i s is %i x %i', async (resolution, aspectRatio, duration, width, height) => {
    const created = await create({ resolution, aspect_ratio: aspectRatio, duration }, instant);
    const { video_url: url = '' } = await read(created, instant);
    const video = await readVideo(await download(url));
    expect(video).toMatchObject({ width, height });
    expect(video.seconds).toBeCloseTo(duration, 1);
  });
});
