import { describe, expect, test } from 'vitest';
import { decodePreview } from '../../src/capabilities/voice/wire.ts';
import {
  CloneVoiceDocument,
  type CloneVoiceInput,
  NodeDocument,
  VoiceDocument,
} from '../../src/client/documents.generated.ts';
import { packId, unpackId } from '../../src/lib/ids.ts';
import { sandboxKey, type TestApp } from '../support/app.ts';
import { startRecorded } from '../support/recording-gateway.ts';

const plain: CloneVoiceInput = { fileId: 5, voiceId: 'my-voice_1' };
const accepted = {
  demo_audio: 'https://x/demo.mp3',
  base_resp: { status_code: 0, status_msg: 'success' },
};

async function clone(app: TestApp, input: CloneVoiceInput, idempotencyKey: string | null = null) {
  const { data, errors } = await app.run(CloneVoiceDocument, { input, idempotencyKey });
  expect(errors).toBeUndefined();
  return data?.cloneVoice;
}

describe('cloneVoice', () => {
  test('sends every member under its wire name with exact wide ids, and omits absent members', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    await clone(app, plain);
    await clone(app, {
      fileId: '12345678901234567890',
      voiceId: 'MyVoice1',
      sample: { fileId: '9223372036854775807', transcript: 'as it was said' },
      previewText: 'Hello (laughs)',
      previewModel: 'speech-2.6-hd',
      language: 'auto',
      reduceNoise: true,
      normalizeVolume: false,
      watermark: true,
      extra: { accuracy: 0.8 },
    });
    expect(gateway.requests.map(({ body }) => body)).toEqual([
      { file_id: 5, voice_id: 'my-voice_1' },
      {
        file_id: 12345678901234567890n,
        voice_id: 'MyVoice1',
        clone_prompt: { prompt_audio: 9223372036854775807n, prompt_text: 'as it was said' },
        text: 'Hello (laughs)',
        model: 'speech-2.6-hd',
        language_boost: 'auto',
        need_noise_reduction: true,
        need_volume_normalization: false,
        aigc_watermark: true,
        accuracy: 0.8,
      },
    ]);
    expect(gateway.requests[0]).toMatchObject({ method: 'POST', path: '/speecha/v1/voice_clone' });
    expect(gateway.requests[0]?.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test('accepts both ends of every limit and rejects values beyond them without a request', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    const good: readonly Partial<CloneVoiceInput>[] = [
      { voiceId: 'a1234567' },
      { voiceId: `A${'-_'.repeat(127)}b` },
      { previewText: '😀'.repeat(1000) },
      { previewText: '' },
      { sample: { fileId: 1, transcript: 'x' } },
      { previewModel: 'speech-01-of-another-name' },
    ];
    for (const part of good)
      expect(await clone(app, { ...plain, ...part })).toMatchObject({ __typename: 'ClonedVoice' });
    const bad: readonly [Partial<CloneVoiceInput>, readonly string[]][] = [
      [{ voiceId: '' }, ['voiceId']],
      [{ voiceId: 'a123456' }, ['voiceId']],
      [{ voiceId: `a${'b'.repeat(256)}` }, ['voiceId']],
      [{ voiceId: '1abcdefgh' }, ['voiceId']],
      [{ voiceId: '_abcdefgh' }, ['voiceId']],
      [{ voiceId: 'abcdefgh-' }, ['voiceId']],
      [{ voiceId: 'abcdefgh_' }, ['voiceId']],
      [{ voiceId: 'abcd efgh' }, ['voiceId']],
      [{ voiceId: 'abcdéfgh' }, ['voiceId']],
      [{ voiceId: 'abcd.efgh' }, ['voiceId']],
      [{ voiceId: '1 -' }, ['voiceId', 'voiceId', 'voiceId', 'voiceId']],
      [{ previewText: 'x'.repeat(1001) }, ['previewText']],
      [{ previewModel: ' ' }, ['previewModel']],
      [{ language: '' }, ['language']],
      [{ sample: { fileId: 1, transcript: ' ' } }, ['sample.transcript']],
    ];
    for (const [part, paths] of bad) {
      const refused = await clone(app, { ...plain, ...part });
      if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify([part, refused]));
      expect(refused.issues.map(({ path }) => path.slice(1).join('.'))).toEqual(paths);
    }
    expect(gateway.requests).toHaveLength(good.length);
  });

  test('reports all problems at once', async () => {
    await using recorded = await startRecorded();
    const refused = await clone(
      recorded.app,
      {
        fileId: 5,
        voiceId: 'short',
        sample: { fileId: 1, transcript: '' },
        previewText: 'x'.repeat(1001),
        previewModel: '',
        extra: { voice_id: 'y', other: 1 },
      },
      'x'.repeat(201),
    );
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    expect(refused.issues.map(({ path }) => path.join('.'))).toEqual([
      'idempotencyKey',
      'input.extra.voice_id',
      'input.previewModel',
      'input.previewText',
      'input.sample.transcript',
      'input.voiceId',
    ]);
    expect(recorded.gateway.requests).toEqual([]);
  });

  test('creates a voice whose id is verifiable for its owner only', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    const made = await clone(app, plain);
    if (made?.__typename !== 'ClonedVoice') throw new Error(JSON.stringify(made));
    expect(made).toMatchObject({
      voice: { voiceId: 'my-voice_1' },
      preview: { url: 'https://x/demo.mp3' },
    });
    const { id } = made.voice;
    expect((await app.run(VoiceDocument, { id })).data?.voice).toMatchObject({
      id,
      voiceId: 'my-voice_1',
      name: 'my-voice_1',
      previewUrl: null,
    });
    expect((await app.run(NodeDocument, { id })).data?.node).toMatchObject({ __typename: 'Voice', id });
    const other = { headers: { authorization: 'Bearer sk-other' } };
    expect((await app.run(VoiceDocument, { id }, other)).data).toEqual({ voice: null });
    const [, , seal = ''] = unpackId('voice', id) ?? [];
    const forged = [
      packId('voice', ['cloned', 'my-voice_1']),
      packId('voice', ['cloned', 'my-voice_2', seal]),
      packId('voice', ['cloned', 'my-voice_1', seal, '']),
      packId('voice', ['cloned', 'my-voice_1', `${seal.slice(0, -1)}!`]),
      packId('voice', ['preset', 'my-voice_1', seal]),
    ];
    gateway.answer({ body: { data: [] } });
    for (const forgery of forged)
      expect((await app.run(VoiceDocument, { id: forgery })).data).toEqual({ voice: null });
  });

  test("creates a voice that its owner finds by the gateway's id", async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    const find = async (voiceId: string, headers = sandboxKey) =>
      (await app.run(VoiceDocument, { id: voiceId }, { headers })).data?.voice;
    gateway.answer({ body: { data: [{ voice_id: 'my-voice_1', voice_name: 'A preset' }] } });
    expect(await find(plain.voiceId)).toMatchObject({ name: 'A preset' });
    gateway.answer({ body: accepted });
    const [first, second] = [
      await clone(app, plain),
      await clone(app, { ...plain, voiceId: 'second-1' }, 'k'),
    ];
    if (first?.__typename !== 'ClonedVoice' || second?.__typename !== 'ClonedVoice')
      throw new Error(JSON.stringify([first, second]));
    expect(await find('my-voice_1')).toMatchObject({ id: first.voice.id, name: 'my-voice_1' });
    expect(await find('second-1')).toMatchObject({ id: second.voice.id, voiceId: 'second-1' });
    gateway.answer({ body: { data: [] } });
    expect(await find('second-1', { authorization: 'Bearer sk-other' })).toBeNull();
    gateway.answer({ body: { base_resp: { status_code: 2013, status_msg: 'voice clone duplicate' } } });
    expect(await clone(app, { ...plain, voiceId: 'refused-1' })).toMatchObject({
      __typename: 'GatewayError',
    });
    gateway.answer({ body: { data: [] } });
    expect(await find('refused-1')).toBeNull();
  });

  test('is sent once per key; a replay returns the same voice without the preview', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    const first = await clone(app, plain, 'k');
    const again = await clone(app, plain, 'k');
    if (first?.__typename !== 'ClonedVoice' || again?.__typename !== 'ClonedVoice')
      throw new Error(JSON.stringify([first, again]));
    expect(again.voice).toEqual(first.voice);
    expect(again.preview).toBeNull();
    expect(await clone(app, { ...plain, previewText: 'other' }, 'k')).toMatchObject({
      __typename: 'IdempotencyConflictError',
    });
    expect(gateway.requests).toHaveLength(1);
  });

  test("refused with HTTP 200 returns the gateway's message and releases the key", async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: { base_resp: { status_code: 2013, status_msg: 'voice clone duplicate' } } });
    const query = /* GraphQL */ `
      mutation ($input: CloneVoiceInput!) {
        cloneVoice(input: $input, idempotencyKey: "k") {
          __typename
          ... on GatewayError {
            message
            upstreamCode
            httpStatus
            retry
          }
        }
      }
    `;
    const run = () => app.run<{ cloneVoice: object }, object>(query, { input: plain });
    expect((await run()).data?.cloneVoice).toEqual({
      __typename: 'GatewayError',
      message: 'voice clone duplicate',
      upstreamCode: '2013',
      httpStatus: 200,
      retry: 'FIX_INPUT',
    });
    gateway.answer({ body: accepted });
    expect((await run()).data?.cloneVoice).toEqual({ __typename: 'ClonedVoice' });
  });

  test.each([
    { ok: false, message: 'no' },
    { error: true, message: 'no' },
    { status: 400, message: 'no' },
    { errors: [{ message: 'no' }] },
    [{ error: { message: 'no' } }],
  ])('refused with %j is no success', async (body) => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body });
    expect(await clone(recorded.app, plain)).toMatchObject({ __typename: 'GatewayError', message: 'no' });
  });

  test('with a lost reply has an unknown outcome and is not sent again', async () => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body: '<html>' });
    for (let round = 0; round < 2; round += 1)
      expect(await clone(recorded.app, plain, 'k')).toMatchObject({ __typename: 'OutcomeUnknownError' });
    expect(recorded.gateway.requests).toHaveLength(1);
  });

  test.each([
    ['an empty object', {}],
    ['an empty list', []],
    ['null members', { demo_audio: null, base_resp: null }],
    ['empty members', { data: [{}], demo_audio: '' }],
    ['a failed record', { id: 'v', status: 'failed' }],
    ['a record with an error', { data: { id: 'v', error: { message: 'too noisy' } } }],
    ['words', { message: 'The file is too short' }],
    ['words of another name', { errcode: 5, errmsg: 'The file is too short' }],
    ['words in data', { data: { msg: 'The file is too short' } }],
  ])('with %s as reply has an unknown outcome and is not sent again', async (_name, body) => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body });
    for (let round = 0; round < 2; round += 1)
      expect(await clone(recorded.app, plain, 'k')).toMatchObject({ __typename: 'OutcomeUnknownError' });
    expect(recorded.gateway.requests).toHaveLength(1);
  });

  test.each([
    ['wrong types', { demo_audio: 5, base_resp: [], extra_info: 'x' }],
    ['audio that is no address', { demo_audio: 'fffb90', base_resp: { status_code: 0 } }],
    ['a word for success', { msg: 'OK' }],
    ['a code for success beside words', { code: 0, message: 'The voice was created', data: {} }],
    ['success in data', { data: { success: true, message: 'The voice was created' } }],
  ])('with a reply of %s returns the voice without a preview', async (_name, body) => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body });
    expect(await clone(recorded.app, plain)).toMatchObject({ __typename: 'ClonedVoice', preview: null });
  });
});

test('the reader finds a preview in its conventional members', () => {
  const url = 'https://x/a.mp3';
  for (const reply of [
    { demo_audio: url },
    { data: { preview_url: url } },
    { data: { audio: url } },
    { audio: { url } },
  ])
    expect(decodePreview(reply)).toEqual({ kind: 'AUDIO', role: 'PREVIEW', isWithoutFile: true, url });
});
