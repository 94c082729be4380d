import { describe, expect, test } from 'vitest';
import {
  CancelGenerationDocument,
  CreateSpeechDocument,
  type CreateSpeechInput,
  TaskByHandleDocument,
  TaskProgressDocument,
} from '../../src/client/documents.generated.ts';
import { packId } from '../../src/lib/ids.ts';
import { asJsonObject } from '../../src/lib/json.ts';
import { collect, startApp, subscribe, type TestApp } from '../support/app.ts';
import { startRecorded } from '../support/recording-gateway.ts';

const path = '/ent/v2/audio-tts';
const plain: CreateSpeechInput = { text: 'Good evening.', voice: { id: 'en-us-ava' } };
const accepted = {
  task_id: 't-1',
  state: 'created',
  model: 'speech-x',
  prompt: 'Good evening.',
  duration: 3,
  seed: 7,
  created_at: '2026-11-20T12:00:00.000Z',
  credits: 12,
};

async function create(app: TestApp, input: CreateSpeechInput) {
  const { data, errors } = await app.run(CreateSpeechDocument, { input });
  expect(errors).toBeUndefined();
  return data?.createSpeech;
}

async function createTask(app: TestApp): Promise<string> {
  const made = await create(app, plain);
  if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
  return made.task.id;
}

async function issuesOf(app: TestApp, input: CreateSpeechInput): Promise<readonly string[]> {
  const refused = await create(app, input);
  if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
  return refused.issues.map(({ path }) => path.slice(1).join('.'));
}

describe('createSpeech', () => {
  test('sends every member as text under its wire name and omits absent members', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    expect(await create(app, plain)).toMatchObject({ __typename: 'Generation', status: 'SUBMITTED' });
    await create(app, {
      text: 'One<#0.5#>two.\n\nThree.',
      voice: { id: 'my_voice-1', speed: 1.25, volume: 10, pitch: -12, emotion: 'SURPRISED' },
      pronunciations: ['处理/(chu3)(li3)', 'omg/oh my god'],
      payload: '{"a":1}',
      extra: { channel: 'b' },
    });
    expect(gateway.requests.map(({ body }) => body)).toEqual([
      { text: 'Good evening.', voice_setting_voice_id: 'en-us-ava' },
      {
        text: 'One<#0.5#>two.\n\nThree.',
        voice_setting_voice_id: 'my_voice-1',
        voice_setting_speed: '1.25',
        voice_setting_volume: '10',
        voice_setting_pitch: '-12',
        voice_setting_emotion: 'surprised',
        pronunciation_dict_tone: '["处理/(chu3)(li3)","omg/oh my god"]',
        payload: '{"a":1}',
        channel: 'b',
      },
    ]);
    expect(gateway.requests.map((request) => `${request.method} ${request.path}`)).toEqual([
      `POST ${path}`,
      `POST ${path}`,
    ]);
    expect(gateway.requests[0]?.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test('takes the id of a voice in this API as well as the id of the gateway', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    for (const id of [
      packId('voice', ['preset', 'en-us-ava']),
      packId('voice', ['cloned', 'my_voice-1', 'x']),
      'voice_mine',
    ])
      await create(app, { ...plain, voice: { id } });
    const sent = gateway.requests.map(({ body }) => asJsonObject(body)?.['voice_setting_voice_id']);
    expect(sent).toEqual(['en-us-ava', 'my_voice-1', 'voice_mine']);
  });

  test('writes numbers in plain decimal digits, without binary rounding errors, and 0 as 0', async () => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body: accepted });
    await create(recorded.app, {
      ...plain,
      voice: { id: 'en-us-ava', speed: 0.7 + 0.1, volume: 1e-6, pitch: -0 },
    });
    expect(recorded.gateway.requests[0]?.body).toMatchObject({
      voice_setting_speed: '0.8',
      voice_setting_volume: '0.000001',
      voice_setting_pitch: '0',
    });
  });

  test('never rounds a non-zero value to 0', async () => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body: accepted });
    await create(recorded.app, { ...plain, voice: { id: 'en-us-ava', volume: 1e-7, pitch: -1.25e-9 } });
    expect(recorded.gateway.requests[0]?.body).toMatchObject({
      voice_setting_volume: '0.0000001',
      voice_setting_pitch: '-0.00000000125',
    });
    await create(recorded.app, { ...plain, voice: { id: 'en-us-ava', volume: 5e-324 } });
    expect(recorded.gateway.requests[1]?.body).toMatchObject({
      voice_setting_volume: expect.stringMatching(/^0\.0{323}5$/),
    });
  });

  test('accepts both ends of every limit and rejects values beyond them without a request', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    const good: readonly Partial<CreateSpeechInput>[] = [
      { text: '😀'.repeat(9999) },
      { voice: { id: 'en-us-ava', speed: 0.5 } },
      { voice: { id: 'en-us-ava', speed: 2 } },
      { voice: { id: 'en-us-ava', volume: 0 } },
      { voice: { id: 'en-us-ava', volume: 10 } },
      { voice: { id: 'en-us-ava', pitch: -12 } },
      { voice: { id: 'en-us-ava', pitch: 12 } },
      { payload: 'x'.repeat(1_048_576) },
      { payload: '' },
      { pronunciations: [] },
      {
        pronunciations: [
          '重庆/(chong2)(qing4)',
          '卡拉OK/(ka3)(la1)OK',
          '绿/(lü4)',
          '吗/(ma5)',
          'a(b)/c(d)',
          '音乐/mp3',
          '处理/processing',
          'tom/ˈtɒm/təʊ',
        ],
      },
    ];
    for (const part of good)
      expect(await create(app, { ...plain, ...part })).toMatchObject({ __typename: 'Generation' });
    expect(gateway.requests).toHaveLength(good.length);
    const bad: readonly [string, Partial<CreateSpeechInput>][] = [
      ['text', { text: '' }],
      ['text', { text: ' \n ' }],
      ['text', { text: 'x'.repeat(10_000) }],
      ['voice.id', { voice: { id: ' ' } }],
      ['voice.speed', { voice: { id: 'en-us-ava', speed: 0.49 } }],
      ['voice.speed', { voice: { id: 'en-us-ava', speed: 2.01 } }],
      ['voice.volume', { voice: { id: 'en-us-ava', volume: -0.01 } }],
      ['voice.volume', { voice: { id: 'en-us-ava', volume: 10.01 } }],
      ['voice.pitch', { voice: { id: 'en-us-ava', pitch: -12.01 } }],
      ['voice.pitch', { voice: { id: 'en-us-ava', pitch: 12.01 } }],
      ['payload', { payload: 'x'.repeat(1_048_577) }],
      ['pronunciations.0', { pronunciations: ['处理'] }],
      ['pronunciations.0', { pronunciations: ['/(chu3)'] }],
      ['pronunciations.0', { pronunciations: ['处理/ '] }],
      ['pronunciations.1', { pronunciations: ['a/b', '处理/(chu6)(li3)'] }],
      ['pronunciations.0', { pronunciations: ['处理/(chu0)(li3)'] }],
      ['pronunciations.0', { pronunciations: ['处理/(chu)(li3)'] }],
      ['pronunciations.0', { pronunciations: ['处理/(chu3 li3)'] }],
      ['pronunciations.0', { pronunciations: ['处理/(chu3'] }],
      ['pronunciations.0', { pronunciations: ['处理/(chu3)'] }],
      ['pronunciations.0', { pronunciations: ['处理/(chu3)(li3)(le5)'] }],
      ['pronunciations.0', { pronunciations: ['重庆/(chong2)庆'] }],
      ['pronunciations.0', { pronunciations: ['处理/chu3li3'] }],
      ['pronunciations.0', { pronunciations: ['处理/chu3 li6'] }],
    ];
    for (const [member, part] of bad) expect(await issuesOf(app, { ...plain, ...part })).toEqual([member]);
    expect(gateway.requests).toHaveLength(good.length);
  });

  test('reports all problems at once, with the limit and the received value', async () => {
    await using recorded = await startRecorded();
    const refused = await create(recorded.app, {
      text: `<#1#>a<#0#><#100#>b<#0.125#>`,
      voice: { id: '', speed: 9, volume: 11, pitch: 13 },
      pronunciations: ['x'],
      payload: 'x'.repeat(1_048_577),
      extra: { text: 'y', stream: true },
    });
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    expect(refused.issues.map(({ path }) => path.slice(1).join('.'))).toEqual([
      'extra.stream',
      'extra.text',
      'payload',
      'pronunciations.0',
      ...Array.from({ length: 6 }, () => 'text'),
      'voice.id',
      'voice.pitch',
      'voice.speed',
      'voice.volume',
    ]);
    expect(refused.issues.find(({ path }) => path.at(-1) === 'payload')).toMatchObject({
      limit: 'at most 1048576 characters',
      received: '1048577 UTF-16 code units',
    });
    expect(refused.issues.find(({ path }) => path.at(-1) === 'speed')).toMatchObject({
      limit: 'at most 2',
      received: '9',
    });
    expect(recorded.gateway.requests).toEqual([]);
  });

  test('shows every member of the reply', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: JSON.stringify(accepted).replace('"seed":7', '"seed":12345678901234567890') });
    const query = /* GraphQL */ `
      mutation ($input: CreateSpeechInput!) {
        createSpeech(input: $input) {
          ... on Generation {
            kind
            prompt
            raw
            assets {
              url
            }
            output {
              ... on SpeechClip {
                url
                durationSeconds
                model
                text
                seed
                credits
              }
            }
            task {
              upstreamId
              status
              rawStatus
              tracking
              model
              submittedAt
            }
          }
        }
      }
    `;
    const { data } = await app.run<{ createSpeech: object }, object>(query, { input: plain });
    expect(data?.createSpeech).toMatchObject({
      kind: 'SPEECH',
      prompt: 'Good evening.',
      raw: { task_id: 't-1', credits: 12 },
      assets: [],
      output: {
        url: null,
        durationSeconds: 3,
        model: 'speech-x',
        text: 'Good evening.',
        seed: '12345678901234567890',
        credits: 12,
      },
      task: {
        upstreamId: 't-1',
        status: 'SUBMITTED',
        rawStatus: 'created',
        tracking: 'NOT_TRACKABLE',
        model: 'speech-x',
        submittedAt: '2026-11-20T12:00:00.000Z',
      },
    });
  });

  test('creates an untrackable task: a watch yields its recorded state once, and it cannot be canceled', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: accepted });
    const made = await create(app, plain);
    if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
    const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id: made.task.id }));
    expect(events).toMatchObject([
      { data: { taskProgress: { id: made.task.id, status: 'SUBMITTED', progress: null, isTerminal: true } } },
    ]);
    const canceled = await app.run(CancelGenerationDocument, { by: { id: made.id } });
    expect(canceled.data?.cancelGeneration).toMatchObject({
      __typename: 'NotCancelableError',
      code: 'NOT_CANCELABLE',
    });
    const elsewhere = await app.run(TaskByHandleDocument, { handle: { kind: 'SPEECH', upstreamId: 't-2' } });
    expect(elsewhere.data?.taskByHandle).toMatchObject({ tracking: 'NOT_TRACKABLE', status: 'UNKNOWN' });
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([
    ['an empty object', {}, 'OutcomeUnknownError'],
    ['null members', { task_id: null, state: null }, 'OutcomeUnknownError'],
    ['an id of a wrong type', { task_id: {} }, 'OutcomeUnknownError'],
    ['a failure code', { code: 1001, message: 'no such voice', data: {} }, 'GatewayError'],
    ['a failure code and null data', { code: 1001, message: 'no', data: null }, 'GatewayError'],
    ['an error object', { error: { message: 'no', code: 'invalid_api_key' } }, 'AuthenticationError'],
  ])('does not accept a reply of %s as a task', async (_name, body, type) => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body });
    expect(await create(recorded.app, plain)).toMatchObject({ __typename: type });
  });
});

describe('a read path set by the operator', () => {
  const env = { GATEWAY_TASK_PATHS: 'SPEECH=/ent/v2/tasks/{id}' };

  test('makes speech trackable until its audio is available', async () => {
    await using recorded = await startRecorded({ env: { ...env, TASK_POLL_SECONDS: '0.01' } });
    const { app, gateway } = recorded;
    const states = ['processing', 'success', 'success'];
    gateway.answer(({ method }) => {
      if (method === 'POST') return { body: accepted };
      const state = states.shift();
      // The status is success before the audio is present.
      return { body: { ...accepted, state, ...(states.length === 0 && { audio_url: 'https://x/a.mp3' }) } };
    });
    const id = await createTask(app);
    const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id }));
    expect(events.map(({ data }) => data?.taskProgress.status)).toEqual(['RUNNING', 'RUNNING', 'SUCCEEDED']);
    expect(events.at(-1)?.data?.taskProgress.generation?.assets).toMatchObject([
      { kind: 'AUDIO', url: 'https://x/a.mp3' },
    ]);
    expect(gateway.requests.at(-1)).toMatchObject({ method: 'GET', path: '/ent/v2/tasks/t-1' });
    expect(gateway.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test.each([
    ['its reason as text', 'the model lost its voice', null],
    ['an error object', { code: 'E1', message: 'the model lost its voice' }, 'E1'],
  ])('ends a failed speech with %s', async (_name, error, upstreamCode) => {
    await using recorded = await startRecorded({ env });
    const { app, gateway } = recorded;
    gateway.answer(({ method }) => ({
      body: method === 'POST' ? accepted : { ...accepted, state: 'failed', error },
    }));
    const id = await createTask(app);
    const query =
      'query ($id: ID!) { task(id: $id) { status error { message upstreamCode } readFailure { code } } }';
    expect((await app.run(query, { id })).data).toEqual({
      task: {
        status: 'FAILED',
        error: { message: 'the model lost its voice', upstreamCode },
        readFailure: null,
      },
    });
  });

  test('finds nothing for an unknown id and shows a refusal as an error', async () => {
    await using recorded = await startRecorded({ env });
    const { app, gateway } = recorded;
    gateway.answer({ status: 404, body: { message: 'none' } });
    const handle = { kind: 'SPEECH', upstreamId: 't-9' } as const;
    expect((await app.run(TaskByHandleDocument, { handle })).data).toEqual({ taskByHandle: null });
    gateway.answer({ body: { code: 1000, message: 'busy', data: {} } });
    const failed = await app.run(TaskByHandleDocument, { handle });
    expect(failed.errors?.[0]).toMatchObject({ message: 'busy', extensions: { code: 'GATEWAY_ERROR' } });
  });

  test.each([
    ['SPEACH=/x/{id}', /kind SPEACH cannot be read by a path/],
    ['SPEECH=/x', /the path of SPEECH must contain \{id\}/],
    ['SONG=/x/{id}', /kind SONG cannot be read by a path/],
    ['LIP_SYNC=/x/{id}', /kind LIP_SYNC cannot be read by a path/],
    ['SPEECH=x/{id}', /expected KIND=/],
  ])('of %s prevents the start with a clear message', async (paths, message) => {
    await expect(startApp({ env: { GATEWAY_TASK_PATHS: paths } })).rejects.toThrow(message);
  });
});
