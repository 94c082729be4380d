import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';

interface Made {
  readonly __typename: string;
  readonly id?: string;
  readonly task?: { readonly id: string } | null;
  readonly generation?: { readonly status: string; readonly raw: unknown } | null;
  readonly message?: string;
}

async function queueImage(app: TestApp): Promise<string> {
  const { data } = await app.run<{ queueImage: Made }, object>(
    'mutation { queueImage(input: { prompt: "a" }) { __typename ... on Generation { task { id } } } }',
  );
  return data?.queueImage.task?.id ?? '';
}

const createVideo = `mutation { createReferenceVideo(input: {
  model: "m", prompt: "p", resolution: RESOLUTION_480P, aspectRatio: ASPECT_RATIO_1_1, durationSeconds: 3
}) {
  __typename
  ... on Generation { id status assets { url } raw task { id } }
  ... on OutcomeUnknownError { message generation { status raw } }
} }`;

const selection = '{ status rawStatus isTerminal readFailure { code message } }';

describe('a task that the gateway does not know', () => {
  test('has a read failure instead of a failed status, and is read again', async () => {
    let isKnown = false;
    const gateway = await startFakeGateway((request, response) => {
      const isCreate = request.method === 'POST';
      sendJson(
        response,
        { request_id: 'r1', status: isKnown ? 'IN_PROGRESS' : 'IN_QUEUE' },
        isCreate || isKnown ? 200 : 404,
      );
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const id = await queueImage(app);
    const query = `query ($id: ID!) { task(id: $id) ${selection} }`;
    expect((await app.run(query, { id })).data).toMatchObject({
      task: { status: 'QUEUED', isTerminal: false, readFailure: { code: 'NOT_FOUND' } },
    });
    isKnown = true;
    expect((await app.run(query, { id })).data).toMatchObject({
      task: { status: 'RUNNING', rawStatus: 'IN_PROGRESS', readFailure: null },
    });
  });
});

test.each([[[]], [{}], [{ data: { id: 'a' } }]])(
  'a read whose reply says nothing about the state of the task keeps it: %j',
  async (silent) => {
    const replies: unknown[] = [{ id: 'a', status: 'pending' }, { id: 'a', status: 'in_progress' }, silent];
    const gateway = await startFakeGateway((_request, response) =>
      sendJson(response, replies.length > 1 ? replies.shift() : replies[0]),
    );
    await using app = await startApp({
      gatewayUrl: gateway.url,
      env: { GATEWAY_TASK_PATHS: 'REFERENCE_VIDEO=/v1/videos/{id}' },
    });
    const { data } = await app.run<Record<string, Made>, object>(createVideo);
    const query = `{ generation(by: { id: "${data?.['createReferenceVideo']?.id}" }) { status task { status rawStatus raw } } }`;
    await app.run(query);
    expect((await app.run(query)).data).toEqual({
      generation: { status: 'RUNNING', task: { status: 'RUNNING', rawStatus: 'in_progress', raw: silent } },
    });
  },
);

describe('a watch', () => {
  test('shows a refused credential immediately and continues', async () => {
    let status = 200;
    const clock = createManualClock();
    const gateway = await startFakeGateway((_request, response) =>
      sendJson(response, { request_id: 'r1', status: 'IN_QUEUE' }, status),
    );
    await using app = await startApp({ gatewayUrl: gateway.url, overrides: { clock } });
    const id = await queueImage(app);
    const events = app.wsClient().iterate<{ taskProgress: { readFailure: unknown } }>({
      query: `subscription { taskProgress(id: "${id}") ${selection} }`,
    });
    expect((await events.next()).value?.data).toMatchObject({ taskProgress: { readFailure: null } });
    status = 401;
    const next = events.next();
    clock.advance(2000);
    expect((await next).value?.data).toMatchObject({
      taskProgress: { status: 'QUEUED', readFailure: { code: 'AUTHENTICATION_FAILED' } },
    });
    status = 200;
    const recovered = events.next();
    // Polling intervals grow, so advance the clock several times.
    for (let step = 0; step < 5; step += 1) {
      clock.advance(2000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await recovered).value?.data).toMatchObject({ taskProgress: { readFailure: null } });
    await events.return?.();
  });
});

describe('a create reply without the usual task id', () => {
  test.each([{ data: [{ url: 'https://x/v.mp4' }] }, { url: 'https://x/v.mp4' }])(
    'but contains the video is the result: %j',
    async (reply) => {
      const gateway = await startFakeGateway((_request, response) => sendJson(response, reply));
      await using app = await startApp({ gatewayUrl: gateway.url });
      expect((await app.run(createVideo)).data).toMatchObject({
        createReferenceVideo: {
          __typename: 'Generation',
          status: 'SUCCEEDED',
          assets: [{ url: 'https://x/v.mp4' }],
          raw: reply,
          task: null,
        },
      });
    },
  );

  test('and contains no result is an unknown outcome that keeps the reply', async () => {
    const reply = { ticket: 'a', note: 'come back later' };
    const gateway = await startFakeGateway((_request, response) => sendJson(response, reply));
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect((await app.run(createVideo)).data).toMatchObject({
      createReferenceVideo: {
        __typename: 'OutcomeUnknownError',
        message: expect.stringContaining('its reply is incomplete (it names no task)'),
        generation: { status: 'UNKNOWN', raw: reply },
      },
    });
  });

  test.each([{ taskId: 'a' }, { code: 200, data: { taskId: 'a' } }, { generation_id: 'a' }])(
    'has the id under another known name: %j',
    async (reply) => {
      const gateway = await startFakeGateway((_request, response) => sendJson(response, reply));
      await using app = await startApp({ gatewayUrl: gateway.url });
      expect((await app.run(createVideo)).data).toMatchObject({
        createReferenceVideo: { __typename: 'Generation', task: { id: expect.stringMatching(/^task_/) } },
      });
    },
  );
});
