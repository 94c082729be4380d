import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

const song = (members: object): object => ({
  code: 'success',
  data: [{ task_id: 't1', status: 'FAILURE', data: [], ...members }],
});

test.each([
  ['QUEUED_IMAGE', { status: 'FAILED', error: { code: 'nsfw', message: 'no' } }, 'nsfw'],
  ['QUEUED_IMAGE', { status: 'FAILED', error: { type: 'safety', message: 'no' } }, 'safety'],
  ['QUEUED_IMAGE', { status: 'FAILED', error: 'no', error_code: 1301 }, '1301'],
  ['QUEUED_IMAGE', { status: 'FAILED', error: 'no' }, null],
  ['SONG', song({ fail_reason: 'no', fail_code: 'lyrics' }), 'lyrics'],
  ['SONG', song({ fail_reason: 'no' }), null],
  [
    'MULTI_IMAGE_VIDEO',
    { code: 0, data: { task_id: 't1', task_status: 'failed', task_status_msg: 'no', error_code: 'E7' } },
    'E7',
  ],
  ['MULTI_IMAGE_VIDEO', { code: 0, data: { task_id: 't1', task_status: 'failed' } }, null],
  ['MULTI_IMAGE_VIDEO', { code: 200, data: { task_id: 't1', task_status: 'succeed' } }, undefined],
])('a failed task of kind %s has the code of its reply: %j', async (kind, reply, upstreamCode) => {
  const gateway = await startFakeGateway((_request, response) => sendJson(response, reply));
  await using app = await startApp({ gatewayUrl: gateway.url });
  const { data, errors } = await app.run<object, object>(
    `{ taskByHandle(handle: { kind: ${kind}, upstreamId: "t1" }) { error { code upstreamCode } } }`,
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    taskByHandle: { error: upstreamCode === undefined ? null : { code: 'GATEWAY_ERROR', upstreamCode } },
  });
});
