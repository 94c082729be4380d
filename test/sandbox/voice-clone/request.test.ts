import { describe, expect, test } from 'vitest';
import { named, readError, readJson, startSandbox } from '../support.ts';
import { createClient, nextVoiceId, type CloneReply } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);
const path = '/speecha/v1/voice_clone';

function post(changes: Record<string, unknown>): Promise<Response> {
  return client.post(path, { file_id: 5, voice_id: nextVoiceId(), ...changes });
}

/** Posts the text of a body, since an integer beyond 2^53 would lose digits. */
function postText(body: string): Promise<Response> {
  return fetch(sandbox.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${sandbox.apiKey}` },
    body,
  });
}

describe('POST /speecha/v1/voice_clone', () => {
  test.each(
    named([
      ['voice_id', 'Abcdefg1'],
      ['voice_id', 'a-b_c-d_9'],
      ['voice_id', `v${'1'.repeat(255)}`],
      ['clone_prompt', { prompt_audio: 6, prompt_text: 'Hello' }],
      ['text', ''],
      ['text', '🦊'.repeat(1000)],
      ['text', 'Hello (laughs) there'],
      ['model', 'speech-2.6-hd'],
      ['model', 'speech-2.6-turbo'],
      ['model', 'speech-02-hd'],
      ['model', 'speech-02-turbo'],
      ['model', 'speech-2.8-hd'],
      ['language_boost', 'auto'],
      ['language_boost', 'Chinese,Yue'],
      ['need_noise_reduction', true],
      ['need_volume_normalization', false],
      ['aigc_watermark', true],
    ]),
  )('takes %s: %s', async (member, _label, value) => {
    const response = await post({ [member]: value });
    expect(response.status).toBe(200);
    expect((await readJson<CloneReply>(response)).base_resp).toEqual({
      status_code: 0,
      status_msg: 'success',
    });
  });

  test.each(
    named([
      ['file_id', undefined],
      ['file_id', '5'],
      ['file_id', 5.5],
      ['file_id', null],
      ['voice_id', undefined],
      ['voice_id', 'Abcdef1'],
      ['voice_id', `v${'1'.repeat(256)}`],
      ['voice_id', '1abcdefg'],
      ['voice_id', '-abcdefg'],
      ['voice_id', 'abcdefg-'],
      ['voice_id', 'abcdefg_'],
      ['voice_id', 'abcd efg'],
      ['voice_id', 'abcd.efg'],
      ['voice_id', 'äbcdefgh'],
      ['clone_prompt', {}],
      ['clone_prompt', { prompt_audio: 6 }],
      ['clone_prompt', { prompt_text: 'Hello' }],
      ['clone_prompt', { prompt_audio: '6', prompt_text: 'Hello' }],
      ['clone_prompt', { prompt_audio: 6, prompt_text: 'Hello', speed: 1 }],
      ['text', 'x'.repeat(1001)],
      ['text', 5],
      ['model', 'speech-2.6'],
      ['model', 'gpt-4o'],
      ['language_boost', 5],
      ['need_noise_reduction', 'true'],
      ['need_volume_normalization', 1],
      ['aigc_watermark', 'no'],
      ['accuracy', 0.7],
    ]),
  )('refuses %s: %s', async (member, _label, value) => {
    const error = await readError(await post({ [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });

  test('takes file ids beyond 2^53 with every digit', async () => {
    const response = await postText(
      `{"file_id":9223372036854775807,"voice_id":"${nextVoiceId()}","clone_prompt":{"prompt_audio":9007199254740993,"prompt_text":"x"}}`,
    );
    expect((await readJson<CloneReply>(response)).base_resp.status_code).toBe(0);
    expect(sandbox.activity.requests(path).at(-1)?.body).toMatchObject({
      file_id: 9_223_372_036_854_775_807n,
      clone_prompt: { prompt_audio: 9_007_199_254_740_993n },
    });
  });

  test('takes a Bearer key and nothing else', async () => {
    for (const headers of [{}, { authorization: sandbox.apiKey }, { 'api-key': sandbox.apiKey }]) {
      expect((await fetch(sandbox.url + path, { method: 'POST', headers })).status).toBe(401);
    }
  });
});
