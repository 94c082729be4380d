import { describe, expect, test } from 'vitest';
import { createKey, readJson, startSandbox } from '../support.ts';
import {
  createClient,
  createTime,
  download,
  startOfTime,
  transitionRequest,
  type Client,
  type TransitionReply,
  type TransitionVideo,
} from '../tasks/support.ts';
import { readVideo } from '../media/mp4.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox, sandbox.apiKey, 'api-key');
const still = await startSandbox({ taskSeconds: 0 });
const instant = createClient(still, still.apiKey, 'api-key');

/** The address of a read of a new video. */
async function create(changes: object = {}, from: Client = client): Promise<string> {
  const reply = await from.create<TransitionReply>('/openapi/v2/video/multi_transition/generate', {
    ...transitionRequest,
    ...changes,
  });
  expect(reply).toEqual({ ErrCode: 0, ErrMsg: 'success', Resp: { video_id: expect.any(BigInt) } });
  return `/openapi/v2/video/result/${reply.Resp?.video_id}`;
}

async function read(url: string, from: Client = client): Promise<TransitionVideo> {
  const { ErrCode: code, Resp: video } = await from.read<{ ErrCode: number; Resp: TransitionVideo }>(url);
  expect(code).toBe(0);
  return video;
}

describe('a transition video', () => {
  test('has an id of more than 53 bits, in its creation and its reads', async () => {
    const url = await create();
    const { id } = await read(url);
    expect(url.endsWith(`/${id}`)).toBe(true);
    expect(id > 2n ** 62n && id < 2n ** 63n).toBe(true);
  });

  test('is generated and succeeds over time', async () => {
    const url = await create();
    const first = await read(url);
    expect(first).toEqual({
      id: expect.any(BigInt),
      status: 5,
      prompt: 'a forest | a city',
      url: '',
      outputWidth: 320,
      outputHeight: 180,
      fail_reason: '',
      create_time: new Date(startOfTime).toISOString(),
      modify_time: new Date(startOfTime).toISOString(),
    });
    time.advance(9);
    expect(await read(url)).toMatchObject({ status: 5, url: '' });
    time.advance(1);
    expect(await read(url)).toMatchObject({ status: 1, url: expect.stringMatching(/\.mp4$/) });
  });

  test('is refused by moderation on request', async () => {
    const frames = [{ img_id: 7, duration: 5, prompt: 'fault:moderated' }, { img_id: 8 }];
    const url = await create({ multi_transition: frames });
    time.advance(6);
    expect(await read(url)).toMatchObject({
      status: 7,
      url: '',
      fail_reason: expect.stringContaining('moderation'),
    });
  });

  test('is visible only to its token', async () => {
    const url = await create();
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }), 'api-key');
    for (const response of [
      await other.send('GET', url),
      await client.send('GET', '/openapi/v2/video/result/x'),
    ]) {
      expect(response.status).toBe(404);
      expect(await readJson(response)).toMatchObject({ ErrCode: 500_008, Resp: null });
    }
    expect((await client.send('GET', `${url}?full=1`)).status).toBe(400);
  });

  test.each([
    ['360p', 256, 144],
    ['540p', 320, 180],
    ['720p', 384, 216],
    ['1080p', 480, 270],
  ])('in %s is %i x %i and has the length of its parts', async (quality, width, height) => {
    const frames = [{ img_id: 1, duration: 2 }, { img_id: 2, duration: 3 }, { img_id: 3 }];
    const done = await read(await create({ quality, multi_transition: frames }, instant), instant);
    expect(done).toMatchObject({ outputWidth: width, outputHeight: height });
    const video = await readVideo(await download(done.url));
    expect(video).toMatchObject({ width, height });
    expect(video.seconds).toBeCloseTo(5, 1);
  });

  test('has at most half a minute', async () => {
    const frames = [{ img_id: 1, duration: 1_000_000 }, { img_id: 2 }];
    const done = await read(await create({ quality: '360p', multi_transition: frames }, instant), instant);
    expect((await readVideo(await download(done.url))).seconds).toBeCloseTo(30, 1);
  });
});
