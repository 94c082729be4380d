import { describe, expect, test } from 'vitest';
import { createKey, readError, startSandbox } from '../support.ts';
import { createClient, songRequest, type Clip, type MusicReply } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);

/** A song that every token can cover. */
const uploaded = '5a0d0000-0000-4000-8000-000000000001';
const coverRequest = {
  mv: 'song-v5',
  make_instrumental: false,
  prompt: 'La la la',
  tags: 'rock, loud',
  title: 'Again',
  cover_clip_id: uploaded,
};

function submit(body: unknown, from = client): Promise<Response> {
  return from.post('/music/submit/music', body);
}

async function record(body: unknown): Promise<Clip[]> {
  const { data } = await client.create<MusicReply<string>>('/music/submit/music', body);
  const [task] = await client.fetchMusic(data);
  return task?.data ?? [];
}

const versions = ['song-v5-5', 'song-v5', 'song-v4-5+', 'song-v4-5', 'song-v4-5-all', 'song-v4', 'song-v3-5'];

describe('a song from a description', () => {
  test('returns the id of its task', async () => {
    const reply = await client.create<MusicReply<string>>('/music/submit/music', songRequest);
    expect(reply).toEqual({ code: 'success', message: '', data: expect.stringMatching(/^[\da-f-]{36}$/) });
  });

  test.each(versions)('takes mv %s, which names the model of its clips', async (mv) => {
    const clips = await record({ ...songRequest, mv });
    expect(clips.map((clip) => clip.model_name)).toEqual([mv, mv]);
    expect(clips[0]?.major_model_version).toMatch(/^v[345]/);
  });

  test.each<[string, unknown]>([
    ['gpt_description_prompt', undefined],
    ['gpt_description_prompt', 1],
    ['make_instrumental', undefined],
    ['make_instrumental', 'false'],
    ['mv', undefined],
    ['mv', 'song-v6'],
    ['mv', 'SONG-V5'],
    ['tags', 'rock'],
    ['gptDescriptionPrompt', 'x'],
    ['prompt', 'x'],
  ])('refuses %s: %j', async (member, value) => {
    const error = await readError(await submit({ ...songRequest, [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });

  test('has lyrics and a style, or is instrumental', async () => {
    const [sung] = await record(songRequest);
    expect(sung?.metadata).toMatchObject({
      gpt_description_prompt: songRequest.gpt_description_prompt,
      type: 'gen',
      error_message: null,
    });
    expect(sung?.metadata.tags).toContain('jazz');
    expect(sung?.metadata.prompt).toContain('[Chorus]');
    const [played] = await record({ ...songRequest, make_instrumental: true });
    expect(played?.metadata.prompt).toBe('');
  });
});

describe('a cover', () => {
  test('takes the six members, with lyrics and style at their limits', async () => {
    const longest = { ...coverRequest, prompt: '歌'.repeat(3000), tags: '🎸'.repeat(200) };
    expect((await submit(longest)).status).toBe(200);
    expect((await submit({ ...coverRequest, title: '' })).status).toBe(200);
    expect((await submit({ ...coverRequest, make_instrumental: true, prompt: '' })).status).toBe(200);
  });

  test('has song-v5 by default', async () => {
    const clips = await record({ ...coverRequest, mv: undefined });
    expect(clips[0]?.model_name).toBe('song-v5');
  });

  test.each<[string, unknown]>([
    ['mv', 'v5'],
    ['make_instrumental', undefined],
    ['prompt', undefined],
    ['prompt', ''],
    ['prompt', 'x'.repeat(3001)],
    ['tags', undefined],
    ['tags', 'x'.repeat(201)],
    ['title', undefined],
    ['title', 5],
    ['cover_clip_id', 'nothing'],
    ['cover_clip_id', 5],
    ['gpt_description_prompt', 'x'],
  ])('refuses %s: %j', async (member, value) => {
    const error = await readError(await submit({ ...coverRequest, [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });

  test('can be made from a generated clip', async () => {
    const [original] = await record(songRequest);
    const [cover] = await record({ ...coverRequest, cover_clip_id: original?.id });
    expect(cover).toMatchObject({
      title: 'Again',
      metadata: { prompt: 'La la la', tags: 'rock, loud', type: 'cover', gpt_description_prompt: '' },
    });
    const [untitled] = await record({ ...coverRequest, title: '', cover_clip_id: original?.id });
    expect(untitled?.title).toBe(`${original?.title} (Cover)`);
  });

  test('cannot be made from a clip of another token', async () => {
    const [original] = await record(songRequest);
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    expect((await submit({ ...coverRequest, cover_clip_id: original?.id }, other)).status).toBe(400);
    expect((await submit(coverRequest, other)).status).toBe(200);
  });
});
