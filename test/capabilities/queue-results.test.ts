import { expect, test } from 'vitest';
import { decodeResult } from '../../src/capabilities/image-queue/wire.ts';
import { decodeVideo, type Video } from '../../src/capabilities/video/wire.ts';
import type { ImageSet } from '../../src/generations/image-set.ts';
import type { Json } from '../../src/lib/json.ts';
import { startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

const url = 'https://x.example/a.png';
const facts = { seed: 7, timings: { inference: 1.5 }, prompt: 'p' };
const queued = { request_id: 'r1', status: 'IN_QUEUE', queue_position: 1 };

/** Queues an image and reads it once. The gateway answers the read with this reply. */
async function readOnce(reply: object): Promise<object | undefined> {
  const gateway = await startFakeGateway((request, response) => {
    sendJson(response, request.method === 'POST' ? queued : reply);
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  await app.run('mutation { queueImage(input: { prompt: "a" }, idempotencyKey: "k") { __typename } }');
  const output = 'output { __typename ... on ImageSet { seed prompt timings images { url width } } }';
  const { data, errors } = await app.run<{ generation: object }, object>(
    `{ generation(by: { idempotencyKey: "k" }) { status isTerminal error { message } assets { url } task { status raw ${output} } } }`,
  );
  expect(errors).toBeUndefined();
  return data?.generation;
}

const succeeded = (reply: object, urls: readonly string[], members: object = facts): object => ({
  status: 'SUCCEEDED',
  isTerminal: true,
  error: null,
  assets: urls.map((found) => ({ url: found })),
  task: {
    status: 'SUCCEEDED',
    raw: reply,
    output: {
      __typename: 'ImageSet',
      seed: null,
      prompt: null,
      timings: null,
      ...members,
      images: urls.map((found) => ({ url: found, width: null })),
    },
  },
});

test.each<[object, readonly string[], object?]>([
  [{ images: [], ...facts, has_nsfw_concepts: [] }, []],
  [{ images: null, ...facts }, []],
  [{ ...facts }, []],
  [{ images: [], timings: {} }, [], { timings: {} }],
  [{ images: [], prompt: '' }, [], { prompt: '' }],
  [{ images: [], seed: '18446744073709551615' }, [], { seed: '18446744073709551615' }],
  [{ status: 'COMPLETED', images: [], ...facts }, []],
  [{ image: { url } }, [url], {}],
  [{ image: { url }, ...facts }, [url]],
  [{ images: [url], ...facts }, [url]],
  [{ images: { url }, ...facts }, [url]],
  [{ images: url, ...facts }, [url]],
  [{ status: 'COMPLETED', response: { images: [{ url }] } }, [url], {}],
  [
    {
      status: 'COMPLETED',
      request_id: 'r1',
      response_url: 'https://x.example/r1',
      result: { images: [], ...facts },
    },
    [],
  ],
])('a result record ends its task with the files that it has: %j', async (reply, urls, members) => {
  expect(await readOnce(reply)).toEqual(succeeded(reply, urls, members));
});

test.each<[string, object]>([
  ['QUEUED', { ...queued, prompt: 'p' }],
  ['RUNNING', { request_id: 'r1', prompt: 'p' }],
  ['RUNNING', { request_id: 'r1', prompt: 'p', images: [], response_url: 'https://x.example/r1' }],
  ['RUNNING', { images: [] }],
  ['RUNNING', { status: 'IN_PROGRESS', images: [], ...facts }],
  ['RUNNING', { status: 'IN_PROGRESS', image: { url } }],
  ['RUNNING', { status: 'COMPLETED', response: { images: [] } }],
  ['RUNNING', { status: 'IN_PROGRESS', response: { images: [{ url }] } }],
  ['FAILED', { images: [], ...facts, detail: 'no GPU' }],
  ['FAILED', { request_id: 'r1', status: 'COMPLETED', error: 'no GPU', error_type: 'internal' }],
])('a reply that is not a result record leaves its task %s: %j', async (status, reply) => {
  expect(await readOnce(reply)).toMatchObject({ status, task: { status } });
});

test('a failed task has the code that the gateway gave', () => {
  const reply = { request_id: 'r1', status: 'FAILED', error: 'No', error_code: 'moderation' };
  expect(decodeResult(reply)).toMatchObject({
    status: 'FAILED',
    error: { message: 'No', upstreamCode: 'moderation' },
  });
});

test('sizes and positions may be digits, and those beyond an Int are left out', () => {
  const read = (number: Json) => {
    const { queuePosition, output } = decodeResult({
      ...queued,
      queue_position: number,
      result: { images: [{ url, width: number, height: number }] },
    });
    const { images } = output as ImageSet;
    const { files } = decodeVideo({ id: 't', video: { url, width: number, height: number } }).output as Video;
    return [queuePosition, ...[...images, ...files].flatMap(({ width, height }) => [width, height])];
  };
  for (const number of [640, '640']) expect(read(number)).toEqual([640, 640, 640, 640, 640]);
  for (const number of [2 ** 31, 5e9, '5000000000', 1.5, 'many', null])
    expect(read(number).filter((found) => found !== undefined)).toEqual([]);
});
