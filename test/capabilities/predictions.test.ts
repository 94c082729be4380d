import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  decodePrediction,
  decodePredictionAcknowledgement,
  type PredictionOutput,
} from '../../src/capabilities/predictions/wire.ts';
import {
  AwaitGenerationDocument,
  CreateAnimationDocument,
  type CreateAnimationInput,
  TaskDocument,
} from '../../src/client/documents.generated.ts';
import { packId } from '../../src/lib/ids.ts';
import type { Json } from '../../src/lib/json.ts';
import { startApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { startRecorded } from '../support/recording-gateway.ts';

const path = '/hosta/v1/predictions';
const plain: CreateAnimationInput = { modelVersion: 'v1', promptStart: 'a seed', promptEnd: 'a tree' };

describe('createAnimation', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { taskSeconds: 0 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const create = async (input: CreateAnimationInput) =>
    (await app.run(CreateAnimationDocument, { input })).data?.createAnimation;
  const lastBody = () => app.sandbox.activity.requests(path).at(-1)?.body;

  test('sends every member under its wire name and omits absent members', async () => {
    await create(plain);
    expect(lastBody()).toEqual({ version: 'v1', input: { prompt_start: 'a seed', prompt_end: 'a tree' } });
    await create({
      ...plain,
      width: 256,
      height: 128,
      pingPong: true,
      outputFormat: 'gif',
      guidanceScale: 7.5,
      promptStrength: 0.8,
      interpolateFrames: false,
      intermediateOutput: true,
      steps: 50,
      frameCount: 4,
      framesPerSecond: 20,
      interpolationSteps: 1,
    });
    expect(lastBody()).toEqual({
      version: 'v1',
      input: {
        prompt_start: 'a seed',
        prompt_end: 'a tree',
        width: 256,
        height: 128,
        gif_ping_pong: true,
        output_format: 'gif',
        guidance_scale: 7.5,
        prompt_strength: 0.8,
        film_interpolation: false,
        intermediate_output: true,
        num_inference_steps: 50,
        num_animation_frames: 4,
        gif_frames_per_second: 20,
        num_interpolation_steps: 1,
      },
    });
  });

  test.each([
    ['guidanceScale', 0.99, 1],
    ['guidanceScale', 20.01, 20],
    ['steps', 0, 1],
    ['steps', 501, 500],
    ['frameCount', 1, 2],
    ['frameCount', 51, 50],
    ['framesPerSecond', 0, 1],
    ['framesPerSecond', 51, 50],
    ['interpolationSteps', 0, 1],
    ['interpolationSteps', 51, 50],
  ] as const)('refuses %s %d and accepts %d', async (member, bad, good) => {
    const before = app.sandbox.activity.count(path);
    expect(await create({ ...plain, [member]: bad })).toMatchObject({
      __typename: 'InvalidInputError',
      issues: [{ path: ['input', member] }],
    });
    expect(app.sandbox.activity.count(path)).toBe(before);
    expect(await create({ ...plain, [member]: good })).toMatchObject({ __typename: 'Generation' });
  });

  test('creates an animation that awaitGeneration waits for over HTTP', async () => {
    const made = await create({ ...plain, width: 128, height: 128, frameCount: 3 });
    if (made?.__typename !== 'Generation') throw new Error(JSON.stringify(made));
    const { data } = await app.run(AwaitGenerationDocument, { by: { id: made.id }, timeoutSeconds: 20 });
    expect(data?.awaitGeneration).toMatchObject({
      status: 'SUCCEEDED',
      isTerminal: true,
      assets: [{ kind: 'IMAGE' }],
    });
    const gif = Buffer.from(await (await fetch(data?.awaitGeneration?.assets[0]?.url ?? '')).arrayBuffer());
    expect(gif.subarray(0, 4).toString()).toBe('GIF8');
  });

  test('by an id without a record is not trackable, because it may not exist', async () => {
    const { data, errors } = await app.run(TaskDocument, {
      id: packId('task', ['ANIMATION', 'made-elsewhere']),
    });
    expect(errors).toBeUndefined();
    expect(data?.task).toMatchObject({
      tracking: 'NOT_TRACKABLE',
      status: 'UNKNOWN',
      isTerminal: true,
      output: null,
    });
  });
});

describe('an address in a reply', () => {
  const prediction = (get: string, more: object = {}) =>
    JSON.stringify({ id: 'p1', status: 'starting', output: null, error: null, urls: { get }, ...more });

  test('outside the trusted origins is never requested', async () => {
    const stranger = await startFakeGateway((_request, response) => void response.end(prediction('')));
    const gateway = await startFakeGateway(
      (_request, response) =>
        void response.setHeader('content-type', 'application/json').end(prediction(`${stranger.url}/steal`)),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data } = await app.run(CreateAnimationDocument, { input: plain });
    if (data?.createAnimation?.__typename !== 'Generation' || !data.createAnimation.task)
      throw new Error(JSON.stringify(data));
    expect(data.createAnimation.task.tracking).toBe('NOT_TRACKABLE');
    const read = await app.run(TaskDocument, { id: data.createAnimation.task.id });
    expect(read.data?.task).toMatchObject({ status: 'SUBMITTED', tracking: 'NOT_TRACKABLE' });
    expect(stranger.requests).toEqual([]);
  });

  test('on an origin that the operator trusts is requested', async () => {
    const queue = await startFakeGateway(
      (_request, response) =>
        void response
          .setHeader('content-type', 'application/json')
          .end(prediction('', { status: 'succeeded', output: ['http://x/a.gif'] })),
    );
    const gateway = await startFakeGateway(
      (_request, response) =>
        void response.setHeader('content-type', 'application/json').end(prediction(`${queue.url}/p1`)),
    );
    await using app = await startApp({
      gatewayUrl: gateway.url,
      env: { GATEWAY_TRUSTED_ORIGINS: queue.url },
    });
    const { data } = await app.run(CreateAnimationDocument, { input: plain });
    if (data?.createAnimation?.__typename !== 'Generation' || !data.createAnimation.task)
      throw new Error(JSON.stringify(data));
    const read = await app.run(TaskDocument, { id: data.createAnimation.task.id });
    expect(read.data?.task).toMatchObject({
      status: 'SUCCEEDED',
      output: { __typename: 'PredictionOutput', files: [{ kind: 'IMAGE', url: 'http://x/a.gif' }] },
    });
    expect(queue.requests).toEqual(['GET /p1']);
  });

  test('that is invalid leaves the task unchanged', async () => {
    const gateway = await startFakeGateway(
      (_request, response) =>
        void response.setHeader('content-type', 'application/json').end(prediction('not an address')),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data } = await app.run(CreateAnimationDocument, { input: plain });
    expect(data?.createAnimation).toMatchObject({
      __typename: 'Generation',
      task: { tracking: 'NOT_TRACKABLE' },
    });
  });

  test.each(['', '/relative', 'not a url', 'javascript:alert(1)', 'ftp://x/y', 'https://x/p1'])(
    'is shown as %j, which is null unless it is a web address',
    async (address) => {
      await using recorded = await startRecorded();
      const urls = { get: address, cancel: address, stream: address, web: address };
      recorded.gateway.answer({ body: { id: 'p', status: 'starting', urls } });
      const query = /* GraphQL */ `
        mutation ($input: CreateAnimationInput!) {
          createAnimation(input: $input) {
            ... on Generation {
              task {
                links {
                  get
                  cancel
                  stream
                  web
                }
                raw
              }
            }
          }
        }
      `;
      const { data, errors } = await recorded.app.run<object, object>(query, { input: plain });
      expect(errors).toBeUndefined();
      const reported = address === 'https://x/p1' ? address : null;
      const links = { get: reported, cancel: reported, stream: reported, web: reported };
      expect(data).toMatchObject({ createAnimation: { task: { links, raw: { urls } } } });
    },
  );

  test('with a reply that names no prediction has an unknown outcome and is not sent again', async () => {
    const gateway = await startFakeGateway(
      (_request, response) => void response.setHeader('content-type', 'application/json').end('{"ok":true}'),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    for (let round = 0; round < 2; round += 1) {
      const { data } = await app.run(CreateAnimationDocument, { input: plain, idempotencyKey: 'k' });
      expect(data?.createAnimation).toMatchObject({
        __typename: 'OutcomeUnknownError',
        code: 'OUTCOME_UNKNOWN',
      });
    }
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('the reader of predictions', () => {
  test.each([
    ['an empty object', {}, 'UNKNOWN'],
    ['null members', { status: null, output: null, error: null, urls: null, logs: null }, 'UNKNOWN'],
    [
      'members of wrong types',
      { status: 1, urls: 'x', logs: [], created_at: 5, data_removed: 'no' },
      'UNKNOWN',
    ],
    ['failure', { status: 'failed', error: 'out of memory' }, 'FAILED'],
    ['success', { status: 'succeeded', output: 'http://x/a.mp4' }, 'SUCCEEDED'],
    [
      'a cancel',
      { status: 'canceled', completed_at: '2026-01-01T00:00:00Z', output: ['http://x/part.png'] },
      'CANCELED',
    ],
    ['success without output', { status: 'succeeded', output: null }, 'RUNNING'],
    ['partial output', { status: 'processing', output: ['http://x/part.png'] }, 'RUNNING'],
    [
      'output and an end time',
      { status: 'processing', output: ['http://x/a.gif'], completed_at: '2026-01-01T00:00:00Z' },
      'SUCCEEDED',
    ],
  ])('decodes the status of %s', (_name, reply, status) => {
    expect(decodePrediction(reply as never).status).toBe(status);
  });

  test('reads progress from the progress bars in the log and distinguishes file types', () => {
    const reading = decodePrediction({
      status: 'processing',
      logs: 'Using seed: 5\n 10%|█ | 5/50\n 46%|████ | 23/50\n',
      output: ['http://x/a.mp4', 'http://x/b.png?c=1', 'words', 'javascript:alert(1)', 7],
    });
    expect(reading.progress).toBeCloseTo(0.46);
    expect(reading.output).toMatchObject({ files: [{ kind: 'VIDEO' }, { kind: 'IMAGE' }] });
  });

  const url = 'https://x/a.png';
  const base64 = Buffer.from('picture').toString('base64');
  const image = { kind: 'IMAGE', url };

  test.each<[string, Json, readonly object[]]>([
    ['one address', url, [image]],
    ['a list', [url, 'https://x/b.mp4'], [image, { kind: 'VIDEO', url: 'https://x/b.mp4' }]],
    ['lists in lists', [[url], [['https://x/b.wav']]], [image, { kind: 'AUDIO', url: 'https://x/b.wav' }]],
    ['a member of any name', { image: url }, [image]],
    ['several members', { mask: url, other: { files: ['https://x/b'] } }, [image, { url: 'https://x/b' }]],
    ['the same twice', { a: url, b: [url] }, [image]],
    [
      'a data URI',
      `data:image/webp;base64,${base64}`,
      [{ kind: 'IMAGE', base64, contentType: 'image/webp' }],
    ],
    [
      'data URIs with parameters in a list',
      [`data:audio/mpeg;rate=8000;base64,${base64}`, { clip: `DATA:Video/MP4;base64,${base64}` }],
      [
        { kind: 'AUDIO', base64, contentType: 'audio/mpeg' },
        { kind: 'VIDEO', base64, contentType: 'Video/MP4' },
      ],
    ],
    [
      'values that are not media',
      [`data:text/plain;base64,${base64}`, 'data:image/png;base64,', 'data:image/png,x'],
      [],
    ],
    [
      'values that are not addresses',
      { a: '', b: '/relative', c: 'ftp://x/a.png', d: 'https://', e: 5, f: null },
      [],
    ],
  ])('finds the files in %s', (_name, output, files) => {
    const reading = decodePrediction({ id: 'p', status: 'succeeded', output });
    const found = reading.output as PredictionOutput | undefined;
    expect(found?.files).toMatchObject(files);
    expect(found?.files).toHaveLength(files.length);
    expect(found?.value).toEqual(output);
  });

  test('handles a deeply nested output', () => {
    let deep: Json = url;
    for (let depth = 0; depth < 5000; depth += 1) deep = depth % 2 === 0 ? [deep] : { deep };
    expect(decodePrediction({ status: 'succeeded', output: deep }).output).toMatchObject({ files: [] });
  });

  test('decodes inline data as an asset of the task', async () => {
    await using recorded = await startRecorded();
    const uri = `data:image/png;base64,${Buffer.alloc(600, 'a').toString('base64')}`;
    recorded.gateway.answer({ body: { id: 'p', status: 'succeeded', output: { image: uri } } });
    const query = /* GraphQL */ `
      mutation ($input: CreateAnimationInput!) {
        createAnimation(input: $input) {
          ... on Generation {
            status
            assets {
              kind
              url
              base64
              contentType
            }
          }
        }
      }
    `;
    const { data } = await recorded.app.run<object, object>(query, { input: plain });
    const asset = { kind: 'IMAGE', url: null, base64: uri.split(',')[1], contentType: 'image/png' };
    expect(data).toEqual({ createAnimation: { status: 'SUCCEEDED', assets: [asset] } });
  });

  test('finds no prediction in a reply without an id', () => {
    for (const reply of [{}, [], null, 'x', { id: null }, { id: '' }, { id: {} }])
      expect(decodePredictionAcknowledgement(reply as never)).toBeUndefined();
  });
});
