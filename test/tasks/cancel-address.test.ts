import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { cancel, create, readGeneration } from '../support/canceling.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
}

interface Scripted {
  /** The reply to the create, with the gateway's own address. */
  readonly create: (url: string) => object;
  readonly cancel?: Answer;
  /** The reply to each read. `isCanceled`: whether the gateway has received the cancel. */
  readonly read?: (isCanceled: boolean) => Answer | Promise<Answer>;
}

/** Starts the program with a gateway whose prediction and queue replies the test defines. */
async function startScripted(script: Scripted) {
  let isCanceled = false;
  const gateway = await startFakeGateway(async (request, response) => {
    const isCreate = request.method === 'POST' && !request.url?.includes('/cancel');
    const isCancel = request.url?.includes('/cancel') ?? false;
    if (isCancel) isCanceled = true;
    const answer = isCreate
      ? { body: script.create(`http://${request.headers.host}`) }
      : isCancel
        ? (script.cancel ?? {})
        : ((await script.read?.(isCanceled)) ?? {});
    const { status = 200, type = 'application/json', body = '' } = answer;
    response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const app = await startApp({ gatewayUrl: gateway.url });
  return { app, gateway, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const prediction = (url: string, more: object = {}) => ({
  id: 'p1',
  status: 'starting',
  urls: { get: `${url}/p1`, cancel: `${url}/p1/cancel` },
  ...more,
});
const isCancel = (line: string) => line.includes('/cancel');

describe('a cancel address', () => {
  test('on an untrusted origin is never requested', async () => {
    const stranger = await startFakeGateway((_request, response) => void response.end('{}'));
    await using scripted = await startScripted({
      create: (url) => prediction(url, { urls: { get: `${url}/p1`, cancel: `${stranger.url}/cancel` } }),
    });
    const made = await create(scripted.app, 'ANIMATION');
    expect(made.isCancelable).toBe(false);
    expect(await cancel(scripted.app, { id: made.id })).toMatchObject({
      __typename: 'NotCancelableError',
      message: expect.stringContaining('not on a trusted origin'),
    });
    expect(stranger.requests).toEqual([]);
    expect(scripted.gateway.requests.filter(isCancel)).toEqual([]);
  });

  test('on an origin that the operator trusts is requested', async () => {
    const queue = await startFakeGateway(
      (request, response) =>
        void response.end(
          JSON.stringify({ request_id: 'r', status: request.method === 'PUT' ? 'CANCELED' : 'IN_QUEUE' }),
        ),
    );
    const gateway = await startFakeGateway(
      (_request, response) =>
        void response.end(
          JSON.stringify({ request_id: 'r', status: 'IN_QUEUE', cancel_url: `${queue.url}/r/cancel` }),
        ),
    );
    await using app = await startApp({
      gatewayUrl: gateway.url,
      env: { GATEWAY_TRUSTED_ORIGINS: queue.url },
    });
    const made = await create(app, 'QUEUED_IMAGE');
    expect(made.isCancelable).toBe(true);
    // Only the documented read counts, and it still reports the task as queued.
    expect(await cancel(app, { id: made.id })).toMatchObject({ status: 'QUEUED', isCancelable: true });
    expect(queue.requests).toEqual(['PUT /r/cancel']);
  });

  test.each(['', '/p1/cancel', 'nowhere', 'javascript:alert(1)', 'file:///cancel'])(
    'of %j is ignored',
    async (address) => {
      await using scripted = await startScripted({
        create: (url) => prediction(url, { urls: { get: `${url}/p1`, cancel: address } }),
      });
      const made = await create(scripted.app, 'IMAGE_FILL');
      expect(made.isCancelable).toBe(false);
      expect(await cancel(scripted.app, { id: made.id })).toMatchObject({ __typename: 'NotCancelableError' });
      expect(scripted.gateway.requests.filter(isCancel)).toEqual([]);
    },
  );

  test('missing from the reply makes the task not cancelable', async () => {
    await using scripted = await startScripted({ create: () => ({ id: 'p1', status: 'starting' }) });
    const made = await create(scripted.app, 'IMAGE_FILL');
    expect(made.isCancelable).toBe(false);
    expect(await cancel(scripted.app, { id: made.id })).toMatchObject({
      __typename: 'NotCancelableError',
      message: 'The gateway returned no cancel address for this task.',
    });
  });
});

describe('a reply to a cancel', () => {
  const running = { body: { id: 'p1', status: 'processing' } };
  const ended = { body: { id: 'p1', status: 'succeeded', output: 'http://x/a.png' } };
  const canceled = { body: { id: 'p1', status: 'canceled' } };

  const outcome = async (answer: Answer, after: Answer) => {
    await using scripted = await startScripted({
      create: prediction,
      cancel: answer,
      read: (isDone) => (isDone ? after : running),
    });
    const made = await create(scripted.app, 'ANIMATION');
    const result = await cancel(scripted.app, { id: made.id });
    return { result, requests: scripted.gateway.requests.filter(isCancel).length };
  };

  test.each<readonly [string, Answer]>([
    ['202 and an empty body', { status: 202 }],
    ['204', { status: 204 }],
    ['plain text', { type: 'text/plain', body: 'ok' }],
    ['an empty object', { body: {} }],
    ['a list', { body: [] }],
    ['the task record', { body: { id: 'p1', status: 'canceling' } }],
  ])('of %s accepts it, and the generation takes the state of its task', async (_name, answer) => {
    expect((await outcome(answer, canceled)).result).toMatchObject({
      status: 'CANCELED',
      isCancelable: false,
    });
    expect((await outcome(answer, running)).result).toMatchObject({ status: 'RUNNING', isCancelable: true });
    expect((await outcome(answer, ended)).result).toMatchObject({ status: 'SUCCEEDED' });
    // The task cannot be read, so its last known state is returned.
    expect((await outcome(answer, { status: 404 })).result).toMatchObject({
      status: 'QUEUED',
      isTerminal: false,
    });
  });

  test('that is carried out later ends nothing: the task can still succeed', async () => {
    let read: object = { id: 'p1', status: 'canceling' };
    await using scripted = await startScripted({
      create: prediction,
      cancel: { status: 202 },
      read: () => ({ body: read }),
    });
    const made = await create(scripted.app, 'ANIMATION');
    expect(await cancel(scripted.app, { id: made.id })).toMatchObject({
      status: 'RUNNING',
      isTerminal: false,
    });
    read = ended.body;
    expect(await cancel(scripted.app, { id: made.id })).toMatchObject({ status: 'SUCCEEDED' });
  });

  test.each<readonly [string, Answer, object, number]>([
    [
      '500',
      { status: 500, body: { error: { message: 'boom' } } },
      { __typename: 'GatewayError', httpStatus: 500, message: 'boom' },
      3,
    ],
    [
      '404',
      { status: 404, body: { detail: 'gone' } },
      { __typename: 'GatewayError', httpStatus: 404, message: 'gone' },
      1,
    ],
    [
      '400 for an ended task',
      { status: 400, body: { status: 'ALREADY_COMPLETED' } },
      { __typename: 'GatewayError', httpStatus: 400 },
      1,
    ],
    ['302', { status: 302 }, { __typename: 'GatewayError', httpStatus: 302 }, 1],
    ['401', { status: 401 }, { __typename: 'AuthenticationError' }, 1],
    [
      '403',
      { status: 403, body: { message: 'no' } },
      { __typename: 'AuthenticationError', message: 'no' },
      1,
    ],
    ['429', { status: 429 }, { __typename: 'RateLimitError' }, 3],
    [
      'an error with status 200',
      { body: { success: false, message: 'cannot' } },
      { __typename: 'GatewayError', message: 'cannot' },
      1,
    ],
    [
      'an HTML page with status 200',
      { type: 'text/html', body: '<html></html>' },
      { __typename: 'GatewayError', message: 'The gateway answered 200 with an HTML or XML page.' },
      1,
    ],
  ])('of %s refuses it, unless the task has ended', async (_name, answer, failure, requests) => {
    expect(await outcome(answer, running)).toMatchObject({ result: failure, requests });
    expect((await outcome(answer, ended)).result).toMatchObject({
      __typename: 'Generation',
      status: 'SUCCEEDED',
    });
    expect((await outcome(answer, canceled)).result).toMatchObject({
      __typename: 'Generation',
      status: 'CANCELED',
    });
    expect((await outcome(answer, { status: 404 })).result).toMatchObject(failure);
  });

  test('is followed by a new read, not by one that started before the cancel', async () => {
    const earlyReply = Promise.withResolvers<void>();
    const earlyRead = Promise.withResolvers<void>();
    await using scripted = await startScripted({
      create: prediction,
      cancel: { status: 202 },
      async read(isDone) {
        if (isDone) return canceled;
        earlyRead.resolve();
        await earlyReply.promise;
        return running;
      },
    });
    const { app, gateway } = scripted;
    const made = await create(app, 'ANIMATION');
    const query = 'query ($id: ID!) { task(id: $id) { status } }';
    const reading = app.run<{ task: { status: string } }, object>(query, { id: made.task?.id });
    await earlyRead.promise;
    const canceling = cancel(app, { id: made.id });
    while (!gateway.requests.some(isCancel)) await new Promise((resolve) => setImmediate(resolve));
    earlyReply.resolve();
    expect((await reading).data?.task.status).toBe('RUNNING');
    expect(await canceling).toMatchObject({ status: 'CANCELED', isTerminal: true });
    expect(await readGeneration(app, made.id)).toMatchObject({ status: 'CANCELED' });
  });

  test('with an ended task record ends a task that cannot be read', async () => {
    await using scripted = await startScripted({
      create: (url) => prediction(url, { urls: { cancel: `${url}/p1/cancel` } }),
      cancel: canceled,
    });
    const made = await create(scripted.app, 'ANIMATION');
    expect(made.isCancelable).toBe(true);
    expect(await cancel(scripted.app, { id: made.id })).toMatchObject({
      status: 'CANCELED',
      isTerminal: true,
    });
    expect(scripted.gateway.requests).toEqual(['POST /hosta/v1/predictions', 'POST /p1/cancel']);
  });

  test('with an empty body leaves a task that cannot be read unchanged', async () => {
    await using scripted = await startScripted({
      create: (url) => prediction(url, { urls: { cancel: `${url}/p1/cancel` } }),
      cancel: { status: 202 },
    });
    const made = await create(scripted.app, 'ANIMATION');
    expect(await cancel(scripted.app, { id: made.id })).toMatchObject({
      status: 'SUBMITTED',
      isCancelable: true,
    });
  });
});

describe('a cancel of a create', () => {
  test('that the gateway has not accepted yet is refused', async () => {
    const accepted = Promise.withResolvers<void>();
    const gateway = await startFakeGateway(async (_request, response) => {
      await accepted.promise;
      response.end('{"id":"p1","status":"starting"}');
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const creating = create(app, 'ANIMATION', 'early');
    while (gateway.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await cancel(app, { idempotencyKey: 'early' })).toMatchObject({
      __typename: 'NotCancelableError',
      message: 'The gateway has not accepted this request yet. Retry in a moment.',
    });
    accepted.resolve();
    await creating;
  });

  test('whose reply was lost returns the generation unchanged', async () => {
    const gateway = await startFakeGateway((_request, response) => void response.end('lost'));
    await using app = await startApp({ gatewayUrl: gateway.url });
    await expect(create(app, 'QUEUED_IMAGE', 'lost')).rejects.toThrow('OutcomeUnknownError');
    expect(await cancel(app, { idempotencyKey: 'lost' })).toMatchObject({
      status: 'UNKNOWN',
      isCancelable: false,
    });
  });
});
