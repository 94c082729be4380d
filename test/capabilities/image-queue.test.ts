import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeAcknowledgement, decodeResult } from '../../src/capabilities/image-queue/wire.ts';
import {
  QueueImageDocument,
  type QueueImageInput,
  TaskByHandleDocument,
  TaskDocument,
  TaskProgressDocument,
} from '../../src/client/documents.generated.ts';
import type { Json } from '../../src/lib/json.ts';
import { collect, startApp, subscribe } from '../support/app.ts';

const path = '/hostb/flux-lora';
const plain: QueueImageInput = { prompt: 'a red fox in snow' };

describe('queueImage', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { taskSeconds: 0 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const queue = async (input: QueueImageInput) => {
    const { data, errors } = await app.run(QueueImageDocument, { input });
    expect(errors).toBeUndefined();
    return data?.queueImage;
  };

  test('sends every member under its wire name and omits absent members', async () => {
    await queue(plain);
    expect(app.sandbox.activity.requests(path).at(-1)?.body).toEqual({ prompt: plain.prompt });
    await queue({
      prompt: 'x',
      size: 'SQUARE_PRO',
      steps: 28,
      guidanceScale: 3.5,
      count: 2,
      enableSafetyChecker: false,
      outputFormat: 'PNG',
    });
    expect(app.sandbox.activity.requests(path).at(-1)?.body).toEqual({
      prompt: 'x',
      image_size: 'square pro',
      num_inference_steps: 28,
      guidance_scale: 3.5,
      num_images: 2,
      enable_safety_checker: false,
      output_format: 'png',
    });
  });

  test.each([
    ['steps', 0, 1],
    ['steps', 51, 50],
    ['guidanceScale', -0.01, 0],
    ['guidanceScale', 35.01, 35],
    ['count', 0, 1],
    ['count', 5, 4],
  ] as const)('refuses %s %d and accepts %d', async (member, bad, good) => {
    const before = app.sandbox.activity.count(path);
    expect(await queue({ ...plain, [member]: bad })).toMatchObject({
      __typename: 'InvalidInputError',
      issues: [{ path: ['input', member] }],
    });
    expect(app.sandbox.activity.count(path)).toBe(before);
    expect(await queue({ ...plain, [member]: good })).toMatchObject({ __typename: 'Generation' });
  });

  test('reports all problems at once', async () => {
    const refused = await queue({
      prompt: ' ',
      count: 9,
      guidanceScale: 99,
      steps: 0,
      extra: { image_size: 'square', prompt: 'y' },
    });
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    expect(refused.issues.map((issue) => issue.path.slice(1).join('.'))).toEqual([
      'count',
      'extra.image_size',
      'extra.prompt',
      'guidanceScale',
      'prompt',
      'steps',
    ]);
  });

  test('produces valid images of the requested size, tracked by its task', async () => {
    const made = await queue({ ...plain, size: 'LANDSCAPE_4_3', outputFormat: 'PNG', count: 2 });
    if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
    const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id: made.task.id }));
    expect(events.at(-1)?.data?.taskProgress).toMatchObject({
      status: 'SUCCEEDED',
      // The queue does not report it.
      progress: null,
      isTerminal: true,
    });
    const assets = events.at(-1)?.data?.taskProgress.generation?.assets ?? [];
    expect(assets).toHaveLength(2);
    const image = Buffer.from(await (await fetch(assets[0]?.url ?? '')).arrayBuffer());
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([1024, 768]);
    const { data } = await app.run(TaskDocument, { id: made.task.id });
    expect(data?.task?.output).toMatchObject({
      __typename: 'ImageSet',
      images: [{ width: 1024, height: 768 }, {}],
    });
  });

  test('reads a request created by another client, and finds nothing for an unknown one', async () => {
    const reply = await fetch(`${app.sandbox.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'elsewhere' }),
    });
    const { request_id: upstreamId } = (await reply.json()) as { request_id: string };
    const adopted = await app.run(TaskByHandleDocument, { handle: { kind: 'QUEUED_IMAGE', upstreamId } });
    expect(adopted.data?.taskByHandle).toMatchObject({ upstreamId, status: 'SUCCEEDED', tracking: 'POLLED' });
    const unknown = await app.run(TaskByHandleDocument, {
      handle: { kind: 'QUEUED_IMAGE', upstreamId: 'nobody-made-this' },
    });
    expect(unknown.errors).toBeUndefined();
    expect(unknown.data?.taskByHandle).toBeNull();
  });
});

describe('the reader of queue replies', () => {
  test.each([
    ['images present', { images: [{ url: 'http://x/1' }] }, 'SUCCEEDED'],
    [
      'images with a status word that is not success',
      { status: 'IN_PROGRESS', images: [{ url: 'http://x/1' }] },
      'RUNNING',
    ],
    [
      'images with such a word and an end time',
      { status: 'IN_PROGRESS', images: [{ url: 'http://x/1' }], completed_at: '2026-01-01T00:00:00Z' },
      'SUCCEEDED',
    ],
    ['a queue word', { status: 'IN_QUEUE', queue_position: 3 }, 'QUEUED'],
    ['an unknown status word', { status: 'simmering' }, 'UNKNOWN'],
    ['an error without a word', { detail: 'no GPU' }, 'FAILED'],
    ['an empty object', {}, 'RUNNING'],
    ['null members', { status: null, images: null, seed: null }, 'RUNNING'],
    [
      'members of wrong types',
      { status: 5, images: 'x', seed: {}, has_nsfw_concepts: 'no', timings: 3, queue_position: 'two' },
      'RUNNING',
    ],
    ['images without addresses', { images: [{}, null, { url: 4 }] }, 'RUNNING'],
    [
      'images with invalid addresses',
      { images: [{ url: '/1.png' }, { url: 'javascript:alert(1)' }] },
      'RUNNING',
    ],
  ] as const)('decodes %s as %s', (_name, body, status) => {
    expect(decodeResult(body as never).status).toBe(status);
  });

  test('decodes every documented member', () => {
    const reading = decodeResult({
      seed: 12345678901234567890n,
      images: [{ url: 'http://x/1', width: 10, height: 20, content_type: 'image/png' }],
      prompt: 'p',
      timings: { inference: 1.5 },
      has_nsfw_concepts: [true],
      request: { num_images: 1, image_url: `data:image/png;base64,${'A'.repeat(600)}` },
    });
    expect(reading.output).toEqual({
      type: 'image-set',
      images: [{ url: 'http://x/1', width: 10, height: 20, contentType: 'image/png', isNsfw: true }],
      seed: 12345678901234567890n,
      prompt: 'p',
      timings: { inference: 1.5 },
      request: {
        num_images: 1,
        image_url: expect.stringMatching(/^data:image\/png;base64: 450 bytes, sha256 /),
      },
    });
  });

  test.each<[logs: Json, text: string | undefined]>([
    ['one\ntwo', 'one\ntwo'],
    [[{ message: 'one', level: 'INFO' }, 'two', 3, null, { level: 'INFO' }], 'one\ntwo'],
    [[], undefined],
    [[null, {}], undefined],
    [{ message: 'one' }, undefined],
    [null, undefined],
  ])('decodes logs: %j', (logs, text) => {
    expect(decodeResult({ status: 'IN_PROGRESS', logs }).logs).toBe(text);
  });

  test('decodes an inline image in place of an address', () => {
    expect(decodeResult({ images: [{ url: 'data:image/png;base64,AAAA', width: 10 }] }).output).toMatchObject(
      {
        images: [{ url: undefined, base64: 'AAAA', contentType: 'image/png', width: 10 }],
      },
    );
  });

  test('finds no task in a reply without a task id', () => {
    for (const reply of [{}, [], null, 'x', { request_id: null }, { request_id: '' }, { request_id: {} }])
      expect(decodeAcknowledgement(reply as never)).toBeUndefined();
    expect(decodeAcknowledgement({ request_id: 77 })).toMatchObject({
      upstreamId: '77',
      reading: { rawStatus: undefined },
    });
  });
});
