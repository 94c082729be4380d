import { describe, expect, test } from 'vitest';
import { decodeVideoAcknowledgement } from '../../src/capabilities/video/wire.ts';
import {
  CreateTransitionVideoDocument,
  CreateVideoDocument,
  TaskByHandleDocument,
  TaskDocument,
  TaskProgressDocument,
} from '../../src/client/documents.generated.ts';
import type { Json } from '../../src/lib/json.ts';
import { collect, subscribe, type TestApp } from '../support/app.ts';
import { startRecorded } from '../support/recording-gateway.ts';

const url = 'https://x/v.mp4';

async function createVideo(app: TestApp) {
  const { data } = await app.run(CreateVideoDocument, {
    input: { withCharacter: { model: 'sora-2', prompt: 'a fox runs', size: 'SMALL' } },
  });
  return data?.createVideo;
}

async function createTransition(app: TestApp) {
  const { data } = await app.run(CreateTransitionVideoDocument, {
    input: {
      frames: [
        { imageId: 1, durationSeconds: 5, prompt: 'one' },
        { imageId: 2, prompt: 'two' },
      ],
      model: 'V5',
      resolution: 'RESOLUTION_360P',
    },
  });
  return data?.createTransitionVideo;
}

describe('the reply to a video create', () => {
  test('is shown with its id, state and time of the last change', async () => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({
      body: { id: 'sora-2:task-1', status: 'pending', status_update_time: 4_102_444_800 },
    });
    const query = /* GraphQL */ `
      mutation {
        createVideo(input: { withCharacter: { model: "sora-2", prompt: "a fox", size: SMALL } }) {
          ... on Generation {
            kind
            model
            prompt
            input
            task {
              upstreamId
              status
              rawStatus
              updatedAt
              output {
                __typename
              }
              raw
            }
          }
        }
      }
    `;
    const { data } = await recorded.app.run<{ createVideo: object }, object>(query);
    expect(data?.createVideo).toEqual({
      kind: 'VIDEO',
      model: 'sora-2',
      prompt: 'a fox',
      input: { model: 'sora-2', prompt: 'a fox', size: 'small' },
      task: {
        upstreamId: 'sora-2:task-1',
        status: 'SUBMITTED',
        rawStatus: 'pending',
        updatedAt: '2100-01-01T00:00:00.000Z',
        output: null,
        raw: { id: 'sora-2:task-1', status: 'pending', status_update_time: 4_102_444_800 },
      },
    });
  });

  test.each([
    ['a time in the same second', () => ({ status_update_time: Math.floor(Date.now() / 1000) })],
    ['a skewed clock', () => ({ status_update_time: 1_763_640_000 })],
    ['inconsistent times', () => ({ status_update_time: 1_763_640_000, created_at: 1_763_640_001 })],
  ])('never shows a change before the creation: %s', async (_name, times) => {
    await using recorded = await startRecorded();
    const sent = times();
    recorded.gateway.answer({ body: { id: 'sora-2:task-1', status: 'pending', ...sent } });
    const query = /* GraphQL */ `
      mutation {
        createVideo(input: { withCharacter: { model: "sora-2", prompt: "a fox", size: SMALL } }) {
          ... on Generation {
            task {
              submittedAt
              updatedAt
            }
          }
        }
      }
    `;
    const { data } = await recorded.app.run<
      { createVideo: { task: { submittedAt: string; updatedAt: string } } },
      object
    >(query);
    const { submittedAt = '', updatedAt } = data?.createVideo.task ?? {};
    expect(Date.parse(submittedAt)).toBeGreaterThanOrEqual(sent.status_update_time * 1000);
    expect(updatedAt).toBe(submittedAt);
  });

  test.each<[string, unknown, string]>([
    ['an empty object', {}, 'OutcomeUnknownError'],
    ['null members', { id: null, status: null, status_update_time: null }, 'OutcomeUnknownError'],
    ['members of wrong types', { id: {}, status: 5, status_update_time: 'x' }, 'OutcomeUnknownError'],
    ['only unknown members', { made: true }, 'OutcomeUnknownError'],
    ['an envelope with a failure code', { code: 1102, message: 'no balance', data: {} }, 'GatewayError'],
    ['success: false', { success: false, message: 'no' }, 'GatewayError'],
    ['an error object', { error: { message: 'no', code: 'insufficient_quota' } }, 'QuotaError'],
  ])('of %s is %3$s', async (_name, body, type) => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body });
    expect(await createVideo(recorded.app)).toMatchObject({ __typename: type });
    expect(recorded.gateway.requests).toHaveLength(1);
  });

  test("that refuses a transition with HTTP 200 is an error with the gateway's message", async () => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body: { ErrCode: 500_044, ErrMsg: 'reached the limit', Resp: null } });
    const query = /* GraphQL */ `
      mutation ($input: CreateTransitionVideoInput!) {
        createTransitionVideo(input: $input, idempotencyKey: "k") {
          __typename
          ... on GatewayError {
            message
            upstreamCode
            httpStatus
          }
        }
      }
    `;
    const input = {
      frames: [{ imageId: 1, durationSeconds: 5 }, { imageId: 2 }],
      model: 'V5',
      resolution: 'RESOLUTION_360P',
    };
    const run = () => recorded.app.run<{ createTransitionVideo: object }, object>(query, { input });
    expect((await run()).data?.createTransitionVideo).toEqual({
      __typename: 'GatewayError',
      message: 'reached the limit',
      upstreamCode: '500044',
      httpStatus: 200,
    });
    // Nothing was charged, so the key is released.
    recorded.gateway.answer({ body: { ErrCode: 0, Resp: { video_id: 12 } } });
    expect((await run()).data?.createTransitionVideo).toMatchObject({ __typename: 'Generation' });
  });

  test.each<[string, Json, string | undefined]>([
    ['an id', { id: 't' }, 't'],
    ['a number', { id: 77 }, '77'],
    ['a wide number', { Resp: { video_id: 12345678901234567890n } }, '12345678901234567890'],
    ['a task id in data', { code: 0, request_id: 'r', data: { task_id: 't' } }, 't'],
    ['a task id in an output', { request_id: 'r', output: { task_id: 't', task_status: 'PENDING' } }, 't'],
    ['only a request id', { request_id: 'r' }, 'r'],
    ['a request id in an envelope', { code: 0, message: 'ok', request_id: 'r' }, undefined],
    ['a request id of a refusal', { detail: 'No such model', request_id: 'r' }, undefined],
    ['a request id beside words', { message: 'No such model', request_id: 'r' }, undefined],
    ['a request id beside a state', { status: 'pending', msg: 'Wait', request_id: 'r' }, 'r'],
    ['a request id beside a word for success', { message: 'Success', request_id: 'r' }, 'r'],
    ['an empty id', { id: '' }, undefined],
    ['a list', [], undefined],
    ['null', null, undefined],
  ])('with %s has the matching task id', (_name, reply, upstreamId) => {
    expect(decodeVideoAcknowledgement(reply)?.upstreamId).toBe(upstreamId);
  });

  test('keeps an unknown status word', () => {
    expect(decodeVideoAcknowledgement({ id: 't', status: 'simmering' })?.reading).toMatchObject({
      status: 'UNKNOWN',
      rawStatus: 'simmering',
    });
  });
});

describe('a read path set by the operator', () => {
  test('makes created videos trackable at that path with their id', async () => {
    const env = { GATEWAY_TASK_PATHS: 'VIDEO=/v1/video/query?id={id}', TASK_POLL_SECONDS: '0.01' };
    await using recorded = await startRecorded({ env });
    const { app, gateway } = recorded;
    const states = ['processing', 'completed'];
    gateway.answer(({ method }) => {
      if (method === 'POST') return { body: { id: 'sora-2:t/1', status: 'pending' } };
      const status = states.shift();
      return { body: { id: 'sora-2:t/1', status, ...(status === 'completed' && { video_url: url }) } };
    });
    const made = await createVideo(app);
    if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
    expect(made.task.tracking).toBe('POLLED');
    const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id: made.task.id }));
    expect(events.at(-1)?.data?.taskProgress).toMatchObject({
      status: 'SUCCEEDED',
      generation: { assets: [{ kind: 'VIDEO', url }] },
    });
    expect(gateway.requests.at(-1)?.path).toBe('/v1/video/query?id=sora-2%3At%2F1');
    const { data } = await app.run(TaskDocument, { id: made.task.id });
    expect(data?.task?.output).toMatchObject({ __typename: 'Video', url, thumbnailUrl: null });
  });

  test.each(['sora-2:t1', 'vendor/sora-2:t1', '索拉:t1'])('follows a video whose id is %s', async (id) => {
    const env = { GATEWAY_TASK_PATHS: 'VIDEO=/v1/video/query?id={id}', TASK_FOLLOW_HOURS: '24' };
    await using recorded = await startRecorded({ env });
    recorded.gateway.answer({ body: { id, status: 'pending' } });
    const made = await createVideo(recorded.app);
    if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
    const query = 'query ($id: ID!) { task(id: $id) { upstreamId isFollowed } }';
    const { data } = await recorded.app.run<object, object>(query, { id: made.task.id });
    expect(data).toEqual({ task: { upstreamId: id, isFollowed: true } });
  });

  test('sends the key of transitions as API-KEY and distinguishes a refusal from a state', async () => {
    const env = { GATEWAY_TASK_PATHS: 'TRANSITION_VIDEO=/openapi/v2/video/result/{id}' };
    await using recorded = await startRecorded({ env });
    const { app, gateway } = recorded;
    gateway.answer({ body: { ErrCode: 0, Resp: { video_id: 12 } } });
    const made = await createTransition(app);
    if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
    gateway.answer({ body: { ErrCode: 10_005, ErrMsg: 'busy', Resp: null } });
    const failed = await app.run(TaskDocument, { id: made.task.id });
    expect(failed.errors).toBeUndefined();
    expect(failed.data?.task?.readFailure).toMatchObject({
      code: 'GATEWAY_ERROR',
      message: 'busy',
      retry: 'LATER',
    });
    gateway.answer({ body: { ErrCode: 0, Resp: { id: 12, status: 1, url, outputWidth: 640 } } });
    const { data } = await app.run(TaskDocument, { id: made.task.id });
    expect(data?.task).toMatchObject({ status: 'SUCCEEDED', rawStatus: '1', output: { url } });
    expect(gateway.requests.at(-1)?.path).toBe('/openapi/v2/video/result/12');
    expect(gateway.requests.at(-1)?.headers).toMatchObject({ 'api-key': 'sk-sandbox' });
    expect(gateway.requests.at(-1)?.headers).not.toHaveProperty('authorization');
  });
});

describe.each([
  ['MULTI_IMAGE_VIDEO', '/videoa/v1/videos/multi-image2video/'],
  ['LIP_SYNC', '/videoa/v1/videos/advanced-lip-sync/'],
] as const)('a task of kind %s', (kind, path) => {
  const record = {
    task_id: 'k1',
    task_status: 'succeed',
    task_status_msg: '',
    created_at: 1_763_640_000_000,
    updated_at: 1_763_640_005_000,
    task_result: { videos: [{ id: 'v1', url, duration: '5.1' }] },
  };

  test('is read by its gateway id, with or without an envelope', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    for (const body of [{ code: 0, message: 'SUCCEED', request_id: 'r', data: record }, record]) {
      gateway.answer({ body });
      const query = /* GraphQL */ `
        query ($handle: TaskHandleInput!) {
          taskByHandle(handle: $handle) {
            tracking
            status
            rawStatus
            submittedAt
            updatedAt
            output {
              ... on Video {
                url
                durationSeconds
                files {
                  kind
                  url
                  durationSeconds
                }
              }
            }
          }
        }
      `;
      const handle = { kind, upstreamId: `k ${gateway.requests.length}`.replace(' ', ':') };
      const { data } = await app.run<{ taskByHandle: object }, object>(query, { handle });
      expect(data?.taskByHandle).toEqual({
        tracking: 'POLLED',
        status: 'SUCCEEDED',
        rawStatus: 'succeed',
        submittedAt: '2025-11-20T12:00:00.000Z',
        updatedAt: '2025-11-20T12:00:05.000Z',
        output: { url, durationSeconds: 5.1, files: [{ kind: 'VIDEO', url, durationSeconds: 5.1 }] },
      });
    }
    expect(gateway.requests[0]).toMatchObject({ method: 'GET', path: `${path}k%3A0`, body: undefined });
    expect(gateway.requests[0]?.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test('is watched to its end and shows why it failed', async () => {
    await using recorded = await startRecorded({ env: { TASK_POLL_SECONDS: '0.01' } });
    const { app, gateway } = recorded;
    const words = ['submitted', 'processing', 'failed'];
    gateway.answer(() => {
      const word = words.shift();
      const data = { task_id: 'k1', task_status: word, task_status_msg: word === 'failed' ? 'no face' : 'x' };
      return { body: { code: 0, message: 'SUCCEED', data } };
    });
    const { data } = await app.run(TaskByHandleDocument, { handle: { kind, upstreamId: 'k1' } });
    expect(data?.taskByHandle).toMatchObject({ status: 'QUEUED' });
    const id = data?.taskByHandle?.id ?? '';
    const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id }));
    expect(events.map((event) => event.data?.taskProgress.status)).toEqual(['RUNNING', 'FAILED']);
    expect(events.at(-1)?.data?.taskProgress.error).toMatchObject({ message: 'no face' });
  });

  test('is null for an unknown id and an error for a refusal', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    const find = () => app.run(TaskByHandleDocument, { handle: { kind, upstreamId: 'nobody' } });
    for (const reply of [
      { status: 404, body: { code: 1203, message: 'none' } },
      { body: {} },
      { body: { code: 0, message: 'SUCCEED', request_id: 'r', data: null } },
      { body: [] },
    ]) {
      gateway.answer(reply);
      const { data, errors } = await find();
      expect(errors).toBeUndefined();
      expect(data).toEqual({ taskByHandle: null });
    }
    for (const data of [null, {}]) {
      gateway.answer({ body: { code: 1303, message: 'too many at once', data } });
      const { errors } = await find();
      expect(errors?.[0]).toMatchObject({
        message: 'too many at once',
        extensions: { code: 'GATEWAY_ERROR' },
      });
    }
  });
});
