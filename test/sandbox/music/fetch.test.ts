import { describe, expect, test } from 'vitest';
import { createKey, readError, startSandbox } from '../support.ts';
import {
  createClient,
  createTime,
  songRequest,
  type Client,
  type MusicReply,
  type MusicTask,
} from '../tasks/support.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 100 });
const client = createClient(sandbox);

async function submit(from: Client = client, description = 'a song'): Promise<string> {
  const body = { ...songRequest, gpt_description_prompt: description };
  return (await from.create<MusicReply<string>>('/music/submit/music', body)).data;
}

async function fetchOne(id: string): Promise<MusicTask> {
  const [task] = await client.fetchMusic(id);
  if (!task) throw new Error(`There is no task ${id}`);
  return task;
}

describe('a music task', () => {
  test('changes its status over time', async () => {
    const id = await submit();
    const seen: [string, string, string[]][] = [];
    for (const seconds of [0, 6, 6, 20, 40, 27, 1]) {
      time.advance(seconds);
      const { status, progress, data } = await fetchOne(id);
      seen.push([status, progress, data.map((clip) => clip.status)]);
    }
    expect(seen).toEqual([
      ['NOT_START', '0%', []],
      ['SUBMITTED', '6%', ['queued', 'queued']],
      ['QUEUED', '12%', ['queued', 'queued']],
      ['IN_PROGRESS', '32%', ['queued', 'queued']],
      ['IN_PROGRESS', '72%', ['streaming', 'streaming']],
      ['IN_PROGRESS', '99%', ['streaming', 'streaming']],
      ['SUCCESS', '100%', ['complete', 'complete']],
    ]);
  });

  test('has every member when it has ended', async () => {
    const submittedAt = Math.floor(time.clock() / 1000);
    const id = await submit();
    expect(await fetchOne(id)).toMatchObject({ submit_time: submittedAt, start_time: 0, finish_time: 0 });
    time.advance(50);
    expect(await fetchOne(id)).toMatchObject({ start_time: submittedAt + 20, finish_time: 0 });
    time.advance(500);
    const { data, ...task } = await fetchOne(id);
    expect(task).toEqual({
      task_id: id,
      notify_hook: '',
      action: 'MUSIC',
      status: 'SUCCESS',
      fail_reason: '',
      submit_time: submittedAt,
      start_time: submittedAt + 20,
      finish_time: submittedAt + 100,
      progress: '100%',
      search_item: '',
    });
    expect(data).toHaveLength(2);
    for (const clip of data) {
      expect(clip).toMatchObject({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        title: expect.stringMatching(/./),
        status: 'complete',
        model_name: 'song-v5',
        major_model_version: 'v5',
        created_at: new Date(submittedAt * 1000).toISOString(),
        play_count: 0,
      });
      expect(clip.metadata.duration).toBeGreaterThan(20);
      expect(clip.metadata.duration).toBeLessThan(41);
      for (const url of [clip.audio_url, clip.video_url, clip.image_url, clip.image_large_url]) {
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/assets\/media\/[\w-]+\.(mp3|mp4|jpg)$/);
      }
    }
    expect(data[0]?.audio_url).not.toBe(data[1]?.audio_url);
  });

  test('has no files before it has ended', async () => {
    const id = await submit();
    time.advance(90);
    const { data } = await fetchOne(id);
    expect(data[0]).toMatchObject({ audio_url: '', video_url: '', metadata: { duration: null } });
    expect(data[0]?.image_url).toMatch(/\.jpg$/);
  });
});

describe('POST /music/fetch', () => {
  test("returns each of the caller's tasks once, in another order than requested", async () => {
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    const ids = [await submit(), await submit(), await submit()];
    const foreign = await submit(other);
    const tasks = await client.fetchMusic(...ids, foreign, 'nothing', ...ids);
    expect(tasks.map((task) => task.task_id)).toEqual(ids.toReversed());
    expect(await other.fetchMusic(...ids, foreign)).toMatchObject([{ task_id: foreign }]);
  });

  test('takes no ids or many', async () => {
    expect(await client.fetchMusic()).toEqual([]);
    const id = await submit();
    const many = Array.from({ length: 5000 }, (_, index) => `unknown-${index}`);
    expect(await client.fetchMusic(...many, id)).toHaveLength(1);
  });

  test.each([
    ['', 1],
    ['MUSIC', 1],
    ['music', 1],
    ['LYRICS', 0],
  ])('with action %j gives %i', async (action, count) => {
    const body = { ids: [await submit()], action };
    const { data } = await client.create<MusicReply<MusicTask[]>>('/music/fetch', body);
    expect(data).toHaveLength(count);
  });

  test.each<[string, unknown]>([
    ['ids', undefined],
    ['ids', 'x'],
    ['ids', [1]],
    ['action', undefined],
    ['action', null],
    ['id', 'x'],
  ])('refuses %s: %j', async (member, value) => {
    const response = await client.post('/music/fetch', { ids: [], action: '', [member]: value });
    const error = await readError(response);
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });
});
