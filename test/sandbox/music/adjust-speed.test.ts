import { describe, expect, test } from 'vitest';
import { createKey, readError, readJson, startSandbox } from '../support.ts';
import {
  createClient,
  createTime,
  download,
  songRequest,
  type Clip,
  type MusicReply,
} from '../tasks/support.ts';
import { readMp3 } from '../media/mp3.ts';

const time = createTime();
const sandbox = await startSandbox({ taskSeconds: 100, clock: time.clock });
const client = createClient(sandbox);
const uploaded = '5a0d0000-0000-4000-8000-000000000001';

function post(body: unknown, from = client): Promise<Response> {
  return from.post('/music/submit/adjust-speed', body);
}

async function adjust(body: Record<string, unknown>): Promise<Clip> {
  const reply = await client.create<MusicReply<Clip>>('/music/submit/adjust-speed', body);
  expect(reply).toMatchObject({ code: 'success', message: '' });
  return reply.data;
}

async function recordClip(): Promise<{ readonly taskId: string; readonly clip: Clip }> {
  const { data: taskId } = await client.create<MusicReply<string>>('/music/submit/music', songRequest);
  time.advance(90);
  const [task] = await client.fetchMusic(taskId);
  const [clip] = task?.data ?? [];
  if (!clip) throw new Error('There is no clip');
  return { taskId, clip };
}

describe('adjusting the speed of a clip', () => {
  test('returns a clip of another length at once', async () => {
    const original = await adjust({ clip_id: uploaded, speed: 1 });
    const seconds = original.metadata.duration ?? 0;
    for (const speed of [0.25, 2, 4]) {
      const clip = await adjust({ clip_id: uploaded, speed });
      expect(clip).toMatchObject({
        status: 'complete',
        metadata: { type: 'edit_speed', error_message: null },
      });
      expect(clip.metadata.duration).toBeCloseTo(seconds / speed, 1);
      expect(clip.id).not.toBe(uploaded);
    }
  });

  test('keeps the pitch on request, and the file has the length in the record', async () => {
    const kept = await adjust({ clip_id: uploaded, speed: 4, keep_pitch: true });
    const moved = await adjust({ clip_id: uploaded, speed: 4, keep_pitch: false });
    const files = await Promise.all([kept, moved].map((clip) => download(clip.audio_url)));
    expect(files[1] && files[0]?.equals(files[1])).toBe(false);
    for (const file of files) expect(readMp3(file).seconds).toBeCloseTo(kept.metadata.duration ?? 0, 0);
  });

  test('can be applied to its own result', async () => {
    const once = await adjust({ clip_id: uploaded, speed: 2 });
    const twice = await adjust({ clip_id: once.id, speed: 0.5 });
    expect(twice.metadata.duration).toBeCloseTo((once.metadata.duration ?? 0) * 2, 1);
  });

  test('leaves a clip of at least a second, whose files can be fetched', async () => {
    let clip = await adjust({ clip_id: uploaded, speed: 4 });
    let response = await post({ clip_id: clip.id, speed: 4 });
    for (let round = 0; round < 8 && response.status === 200; round += 1) {
      clip = (await readJson<MusicReply<Clip>>(response)).data;
      response = await post({ clip_id: clip.id, speed: 4 });
    }
    for (const url of [clip.audio_url, clip.video_url]) expect((await fetch(url)).status).toBe(200);
    const message = 'speed: the clip would become shorter than a second';
    expect(await readError(response)).toMatchObject({ status: 400, message });
  });

  test('costs nothing, even if the quota is exhausted', async () => {
    const key = await createKey(sandbox, { remain_quota: 0 });
    expect((await post({ clip_id: uploaded, speed: 2 }, createClient(sandbox, key))).status).toBe(200);
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: 0, usedQuota: 0 });
  });

  test('needs a complete clip', async () => {
    const { clip } = await recordClip();
    const error = await readError(await post({ clip_id: clip.id, speed: 2 }));
    expect(error).toMatchObject({ status: 400, message: `clip_id: clip ${clip.id} is not complete` });
    time.advance(10);
    expect((await post({ clip_id: clip.id, speed: 2 })).status).toBe(200);
  });

  test('needs a clip of the same token', async () => {
    const { clip } = await recordClip();
    time.advance(10);
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    expect((await post({ clip_id: clip.id, speed: 2 }, other)).status).toBe(400);
  });

  test('refuses to make a clip longer than ten minutes', async () => {
    const slow = await adjust({ clip_id: uploaded, speed: 0.25 });
    const slower = await adjust({ clip_id: slow.id, speed: 0.25 });
    expect(slower.metadata.duration).toBeGreaterThan(400);
    const error = await readError(await post({ clip_id: slower.id, speed: 0.25 }));
    expect(error).toMatchObject({ status: 400 });
    expect(error.message).toContain('speed');
  });

  test.each<[string, unknown]>([
    ['clip_id', undefined],
    ['clip_id', 'nothing'],
    ['clip_id', 1],
    ['speed', undefined],
    ['speed', 0.24],
    ['speed', 4.01],
    ['speed', '2'],
    ['keep_pitch', 'true'],
    ['keepPitch', true],
  ])('refuses %s: %j', async (member, value) => {
    const error = await readError(await post({ clip_id: uploaded, speed: 2, [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });
});
