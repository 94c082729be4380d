import { describe, expect, test } from 'vitest';
import { createKey, readError, readJson, startSandbox } from '../support.ts';
import {
  createClient,
  download,
  nextVoiceId,
  speechRequest,
  type Client,
  type CloneReply,
} from '../tasks/support.ts';
import { readMp3 } from '../media/mp3.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);
const path = '/speecha/v1/voice_clone';

function clone(changes: Record<string, unknown> = {}, from = client): Promise<CloneReply> {
  return from.create<CloneReply>(path, { file_id: 5, voice_id: nextVoiceId(), ...changes });
}

function speakWith(voiceId: string, from: Client = client): Promise<Response> {
  return from.post('/ent/v2/audio-tts', { ...speechRequest, voice_setting_voice_id: voiceId });
}

describe('a cloned voice', () => {
  test('is returned in the form of its family, and can speak', async () => {
    const voiceId = nextVoiceId();
    expect((await speakWith(voiceId)).status).toBe(400);
    expect(await clone({ voice_id: voiceId })).toEqual({
      input_sensitive: false,
      input_sensitive_type: 0,
      demo_audio: '',
      base_resp: { status_code: 0, status_msg: 'success' },
    });
    expect((await speakWith(voiceId)).status).toBe(200);
  });

  test('has a preview if the request has a text and a model', async () => {
    const text = 'Hello there, this is how I sound.';
    const { demo_audio: url } = await clone({ text, model: 'speech-2.6-hd' });
    const plain = readMp3(await download(url));
    expect(plain.seconds).toBeGreaterThan(1);
    const marked = await clone({ text, model: 'speech-2.6-hd', aigc_watermark: true });
    expect(readMp3(await download(marked.demo_audio)).seconds - plain.seconds).toBeCloseTo(0.6, 0);
    expect((await clone({ text })).demo_audio).toBe('');
    expect((await clone({ model: 'speech-2.6-hd' })).demo_audio).toBe('');
  });

  test('speaks only for its token, but its id is taken for all', async () => {
    const voiceId = nextVoiceId();
    await clone({ voice_id: voiceId });
    const other = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    expect((await speakWith(voiceId, other)).status).toBe(400);
    for (const from of [client, other]) {
      expect((await clone({ voice_id: voiceId }, from)).base_resp).toEqual({
        status_code: 2039,
        status_msg: 'voice clone voice id duplicate',
      });
    }
    expect((await clone({ voice_id: 'en-us-ava' })).base_resp.status_code).toBe(2039);
  });

  test('needs a usable file, whose problems it reports under 200, free of charge', async () => {
    const key = await createKey(sandbox, { remain_quota: 75_000 });
    const poor = createClient(sandbox, key);
    for (const [fileId, reason] of [
      [404, 'not found'],
      [413, '20 MB'],
      [415, 'mp3'],
      [422, '10 seconds'],
    ] as const) {
      const voiceId = nextVoiceId();
      const { base_resp: outcome } = await clone({ voice_id: voiceId, file_id: fileId }, poor);
      expect(outcome).toMatchObject({ status_code: 2013, status_msg: expect.stringContaining(reason) });
      expect((await speakWith(voiceId, poor)).status).toBe(400);
    }
    const prompt = { prompt_audio: 404, prompt_text: 'x' };
    expect((await clone({ clone_prompt: prompt }, poor)).base_resp.status_code).toBe(2013);
    expect(sandbox.findToken(key)?.usedQuota).toBe(0);
    expect((await clone({}, poor)).base_resp.status_code).toBe(0);
    expect(sandbox.findToken(key)?.remainQuota).toBe(0);
  });
});

describe('a fault of cloning', () => {
  const post = (text: string, voiceId = nextVoiceId()): Promise<Response> =>
    client.post(path, { file_id: 5, voice_id: voiceId, text });

  test('refused is 400, rate-limit 429, empty-401 401 and html-502 502', async () => {
    expect(await readError(await post('fault:refused'))).toMatchObject({
      status: 400,
      code: 'content_policy_violation',
    });
    expect((await post('fault:rate-limit')).headers.get('retry-after')).toBe('2');
    expect(await (await post('fault:empty-401')).text()).toBe('');
    expect((await post('fault:html-502')).headers.get('content-type')).toContain('text/html');
  });

  test('failed is reported under 200 and leaves no voice', async () => {
    const voiceId = nextVoiceId();
    const reply = await readJson<CloneReply>(await post('fault:failed', voiceId));
    expect(reply.base_resp).toEqual({ status_code: 1013, status_msg: 'internal error' });
    expect((await speakWith(voiceId)).status).toBe(400);
  });

  test('cut loses the reply, but makes the voice', async () => {
    const voiceId = nextVoiceId();
    await expect(post('fault:cut', voiceId)).rejects.toThrow('fetch failed');
    expect((await speakWith(voiceId)).status).toBe(200);
  });

  test('slow answers after three seconds', async () => {
    const startedAt = performance.now();
    expect((await post('fault:slow')).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(2900);
  });
});
