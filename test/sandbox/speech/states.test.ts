import { describe, expect, test } from 'vitest';
import { createKey, startSandbox } from '../support.ts';
import { createClient, createTime, download, speechRequest, type Speech } from '../tasks/support.ts';
import { readMp3 } from '../media/mp3.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox);
const instant = createClient(await startSandbox({ taskSeconds: 0 }));

function speak(changes: Record<string, unknown> = {}, from = client): Promise<Speech> {
  return from.create<Speech>('/ent/v2/audio-tts', { ...speechRequest, ...changes });
}

/** The length of a speech's audio in seconds. */
async function measure(changes: Record<string, unknown>): Promise<number> {
  const { task_id: id, duration } = await speak(changes, instant);
  const { audio_url: url = '' } = await instant.read<Speech>(`/ent/v2/tasks/${id}`);
  const { seconds } = readMp3(await download(url));
  expect(duration - seconds).toBeGreaterThan(-0.2);
  expect(duration - seconds).toBeLessThan(1);
  return seconds;
}

describe('a speech', () => {
  test('is acknowledged with every documented member', async () => {
    const text = 'x'.repeat(101);
    expect(await speak({ text, payload: 'mine' })).toEqual({
      task_id: expect.stringMatching(/^[\da-f-]{36}$/),
      state: 'created',
      model: 'audio-tts',
      prompt: text,
      duration: expect.any(Number),
      seed: expect.any(Number),
      created_at: new Date(time.clock()).toISOString(),
      credits: 2,
    });
  });

  test('is queued, runs and succeeds over time', async () => {
    const created = await speak();
    const url = `/ent/v2/tasks/${created.task_id}`;
    expect(await client.read(url)).toEqual(created);
    time.advance(5);
    expect(await client.read(url)).toEqual({ ...created, state: 'processing' });
    time.advance(5);
    expect(await client.read(url)).toEqual({
      ...created,
      state: 'succeeded',
      audio_url: expect.stringMatching(/\/assets\/media\/[\w-]+\.mp3$/),
    });
  });

  test('is visible only to its token', async () => {
    const { task_id: id } = await speak();
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    expect((await other.send('GET', `/ent/v2/tasks/${id}`)).status).toBe(404);
    expect((await client.send('GET', '/ent/v2/tasks/nothing')).status).toBe(404);
    expect((await client.send('GET', `/ent/v2/tasks/${id}?verbose=1`)).status).toBe(400);
  });
});

describe('the audio', () => {
  const text = 'The quick brown fox jumps over the lazy dog, again and again.';

  test('has the length of a spoken text', async () => {
    const seconds = await measure({ text });
    expect(seconds).toBeGreaterThan(2.5);
    expect(seconds).toBeLessThan(7);
    expect(await measure({ text: `${text} ${text}` })).toBeGreaterThan(seconds * 1.7);
    expect(await measure({ text: '今天天气很好，我们去公园吧。' })).toBeGreaterThan(2);
    expect(await measure({ text: '' })).toBeLessThan(1);
  });

  test('is shorter at a higher speed', async () => {
    const [slow, normal, fast] = await Promise.all(
      ['0.5', '1.0', '2'].map((speed) => measure({ text, voice_setting_speed: speed })),
    );
    expect((slow ?? 0) / (normal ?? 1)).toBeGreaterThan(1.8);
    expect((normal ?? 0) / (fast ?? 1)).toBeGreaterThan(1.7);
  });

  test('has pauses whose length does not depend on the speed', async () => {
    const plain = await measure({ text: 'one two', voice_setting_speed: '2' });
    const paused = await measure({ text: 'one <#7.5#>two', voice_setting_speed: '2' });
    expect(paused - plain).toBeCloseTo(7.5, 0);
  });

  test('differs from voice to voice, and with pitch, volume and emotion', async () => {
    const files = await Promise.all(
      [
        {},
        { voice_setting_voice_id: 'en-us-caleb' },
        { voice_setting_pitch: '5' },
        { voice_setting_volume: '10' },
        { voice_setting_emotion: 'sad' },
      ].map(async (changes) => {
        const { task_id: id } = await speak(changes, instant);
        const { audio_url: url = '' } = await instant.read<Speech>(`/ent/v2/tasks/${id}`);
        return (await download(url)).toString('latin1');
      }),
    );
    expect(new Set(files).size).toBe(files.length);
  });

  test('ends after five minutes', async () => {
    // The record is enough: rendering so long a file takes time.
    expect((await speak({ text: `one${'<#99.99#>two'.repeat(2)}` })).duration).toBe(202);
    expect((await speak({ text: `one${'<#99.99#>two'.repeat(5)}` })).duration).toBe(300);
  });
});
