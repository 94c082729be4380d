import { describe, expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { packId } from '../../src/lib/ids.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const accepted = { request_id: 'r1', status: 'IN_QUEUE', queue_position: 3 };
const selection = '{ status isTerminal queuePosition readFailure { code message retry upstreamCode } }';
const handle = '{ kind: QUEUED_IMAGE, upstreamId: "r1" }';
const create = `mutation { queueImage(input: { prompt: "a" }, idempotencyKey: "k") { ... on Generation { id status task ${selection} } } }`;

interface Made {
  readonly queueImage: { readonly id: string; readonly status: string; readonly task: object };
}

/** Every query field that returns the task of a generation. */
const queryOf = (id: string): string => {
  const task = packId('task', ['QUEUED_IMAGE', 'r1']);
  const ofGeneration = `... on Generation { status task ${selection} }`;
  return `{
    task(id: "${task}") ${selection}
    tasks(ids: ["${task}", "${task}"]) ${selection}
    taskByHandle(handle: ${handle}) ${selection}
    generation(by: { id: "${id}" }) { ${ofGeneration} }
    awaitGeneration(by: { id: "${id}" }, timeoutSeconds: 0) { ${ofGeneration} }
    generations { edges { node { ${ofGeneration} } } }
    node(id: "${task}") { ... on Task ${selection} }
    generationNode: node(id: "${id}") { ${ofGeneration} }
    nodes(ids: ["${task}", "${id}"]) { ... on Task ${selection} ${ofGeneration} }
    _entities(representations: [{ __typename: "Task", id: "${task}" }, { __typename: "Generation", id: "${id}" }]) {
      ... on Task ${selection} ${ofGeneration}
    }
  }`;
};

/** Starts the program with a gateway that accepts creates and answers reads as the test says. */
async function startFailing(read: Answer) {
  const answers = { read };
  const gateway = await startFakeGateway((request, response) => {
    const { status, body, headers } =
      request.method === 'POST' ? { status: 200, body: accepted, headers: {} } : answers.read;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  const app = await startApp({ gatewayUrl: gateway.url });
  return { app, gateway, answers, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

async function make(app: TestApp): Promise<Made['queueImage']> {
  const { data, errors } = await app.run<Made, object>(create);
  expect(errors).toBeUndefined();
  if (!data) throw new Error('no data');
  return data.queueImage;
}

/** All fields of `queryOf` with the same task. */
function everywhere(task: object, status: string): object {
  const generation = { status, task };
  return {
    task,
    tasks: [task, task],
    taskByHandle: task,
    generation,
    awaitGeneration: generation,
    generations: { edges: [{ node: generation }] },
    node: task,
    generationNode: generation,
    nodes: [task, generation],
    _entities: [task, generation],
  };
}

const failure = (code: string, message: string, upstreamCode: string | null = null) => ({
  code,
  message,
  retry:
    code === 'AUTHENTICATION_FAILED' ? 'AUTHENTICATE' : code === 'QUOTA_EXCEEDED' ? 'ADD_QUOTA' : 'LATER',
  upstreamCode,
});

describe('a recorded task whose read fails is shown with its last state and the failure, in every field', () => {
  test.each<[string, Answer, object]>([
    [
      'a server error',
      { status: 500, body: { error: { message: 'broken', code: 'boom' } } },
      failure('GATEWAY_ERROR', 'broken', 'boom'),
    ],
    [
      'a refused credential',
      { status: 401, body: { error: { message: 'no', code: 'invalid_api_key' } } },
      failure('AUTHENTICATION_FAILED', 'no', 'invalid_api_key'),
    ],
    [
      'an exhausted quota',
      { status: 403, body: { error: { message: 'no', code: 'insufficient_user_quota' } } },
      failure('QUOTA_EXCEEDED', 'no', 'insufficient_user_quota'),
    ],
    [
      'a rate limit',
      { status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '20' } },
      failure('RATE_LIMITED', 'slow down'),
    ],
    ['another refusal', { status: 400, body: { detail: 'bad id' } }, failure('GATEWAY_ERROR', 'bad id')],
    [
      'an error under HTTP 200 that names no task',
      { status: 200, body: { status: 'error', message: 'The index is down' } },
      failure('GATEWAY_ERROR', 'The index is down'),
    ],
    [
      'an unreadable reply',
      { status: 200, body: 'soon' },
      failure('GATEWAY_ERROR', 'The gateway answered 200 with an unreadable body: soon'),
    ],
    [
      'an unknown id',
      { status: 404, body: { detail: 'gone' } },
      failure('NOT_FOUND', expect.stringContaining('does not know this task')),
    ],
  ])('%s', async (_title, answer, readFailure) => {
    await using failing = await startFailing(answer);
    const { app } = failing;
    const task = { status: 'QUEUED', isTerminal: false, queuePosition: 3, readFailure };
    const made = await make(app);
    expect(made).toMatchObject({ status: 'QUEUED', task: { ...task, readFailure: null } });
    const { data, errors } = await app.run<object, object>(queryOf(made.id));
    expect(errors).toBeUndefined();
    expect(data).toEqual(everywhere(task, 'QUEUED'));
  });
});

describe('a read that says that the work is still in progress', () => {
  test.each([
    [400, { detail: 'Request is still in progress' }],
    [400, { error: { message: 'Request is still in progress', type: 'invalid_request_error' } }],
    [400, { message: 'The request is not completed yet.', error: 'the result is not ready' }],
    [409, { detail: 'task is still processing' }],
    [200, { detail: 'Request is still in progress' }],
  ])('is no failure: %i %j', async (status, body) => {
    await using early = await startFailing({ status, body });
    const { app, answers } = early;
    const made = await make(app);
    const queued = { status: 'QUEUED', isTerminal: false, queuePosition: 3, readFailure: null };
    const { data, errors } = await app.run<object, object>(queryOf(made.id));
    expect(errors).toBeUndefined();
    expect(data).toEqual(everywhere(queued, 'QUEUED'));
    answers.read = { status: 200, body: { request_id: 'r1', status: 'IN_PROGRESS' } };
    await app.run(queryOf(made.id));
    answers.read = { status, body };
    const running = { status: 'RUNNING', isTerminal: false, queuePosition: null, readFailure: null };
    const later = await app.run<object, object>(queryOf(made.id));
    expect(later.data).toEqual(everywhere(running, 'RUNNING'));
  });

  test('shows a task without a record as running', async () => {
    await using early = await startFailing({ status: 400, body: { detail: 'Request is still in progress' } });
    const { data, errors } = await early.app.run<object, object>(
      `{ taskByHandle(handle: ${handle}) { status lastReadAt readFailure { code } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      taskByHandle: { status: 'RUNNING', lastReadAt: expect.any(String), readFailure: null },
    });
  });

  test('is what the sandbox answers for fault:unfinished-read until the result exists', async () => {
    await using app = await startApp({ sandbox: { taskSeconds: 0 } });
    const { data } = await app.run<Made, object>(
      `mutation { queueImage(input: { prompt: "a fault:unfinished-read" }) { ... on Generation { id task ${selection} } } }`,
    );
    expect(data?.queueImage.task).toMatchObject({ status: 'QUEUED', readFailure: null });
    const query = `{ generation(by: { id: "${data?.queueImage.id}" }) { task ${selection} } }`;
    const early = await app.run<object, object>(query);
    expect(early.data).toMatchObject({ generation: { task: { status: 'QUEUED', readFailure: null } } });
    const next = await app.run<object, object>(query);
    expect(next.data).toMatchObject({ generation: { task: { status: 'SUCCEEDED', readFailure: null } } });
  });
});

test('a refusal with Retry-After postpones the reads of other tasks of the same kind and owner, which say so', async () => {
  const gets: string[] = [];
  let submitted = 0;
  const gateway = await startFakeGateway((request, response) => {
    const isRead = request.method === 'GET';
    if (isRead) gets.push(request.url ?? '');
    const isRefused = gets.length === 1;
    const reply = isRefused
      ? { message: 'slow down' }
      : { request_id: isRead ? 'r' : `r${(submitted += 1)}`, status: 'IN_PROGRESS' };
    response
      .writeHead(isRead && isRefused ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '20' })
      .end(JSON.stringify(reply));
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const submit = async (headers = sandboxKey): Promise<string> => {
    const query = 'mutation { queueImage(input: { prompt: "a" }) { ... on Generation { task { id } } } }';
    const { data } = await app.run<{ queueImage: { task: { id: string } } }, object>(query, {}, { headers });
    return data?.queueImage.task.id ?? '';
  };
  const other = { ...sandboxKey, 'x-end-user': 'other' };
  const [first, second, third] = [await submit(), await submit(), await submit(other)];
  const failureOf = async (id: string, headers = sandboxKey): Promise<unknown> => {
    const query = `{ task(id: "${id}") { status readFailure { code message } } }`;
    const { data } = await app.run<{ task: { readFailure: unknown } }, object>(query, {}, { headers });
    return data?.task.readFailure;
  };
  const refused = { code: 'RATE_LIMITED', message: 'slow down' };
  expect(await failureOf(first)).toEqual(refused);
  expect(await failureOf(second)).toEqual({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(/^This task was not read, .* of another task .*: slow down$/),
  });
  expect(await failureOf(first)).toEqual(refused);
  expect(gets).toHaveLength(1);
  expect(await failureOf(third, other)).toBeNull();
  expect(gets).toHaveLength(2);
});

test('a task without a record whose read fails is null with an error', async () => {
  await using failing = await startFailing({ status: 401, body: { error: { message: 'no' } } });
  const { data, errors } = await failing.app.run<object, object>(
    `{ taskByHandle(handle: ${handle}) { status } }`,
  );
  expect(data).toEqual({ taskByHandle: null });
  expect(errors).toMatchObject([{ path: ['taskByHandle'], extensions: { code: 'AUTHENTICATION_FAILED' } }]);
});

test('a reading that cannot be stored is a masked failure of the recorded task, and is logged', async () => {
  const logged: unknown[] = [];
  const gateway = await startFakeGateway((request, response) => {
    const reply = request.method === 'POST' ? accepted : { request_id: 'r1', status: 'IN_PROGRESS' };
    sendJson(response, reply);
  });
  await using app = await startApp({
    gatewayUrl: gateway.url,
    onLog: (line) => logged.push(line),
    overrides: {
      wrapStore: (store) => ({
        ...store,
        saveTask: () =>
          Promise.reject(new RecordsUnavailableError('The records cannot be used: the disk is full')),
      }),
    },
  });
  const { id } = await make(app);
  const { data } = await app.run<object, object>(
    `{ generation(by: { id: "${id}" }) { status task ${selection} } }`,
  );
  expect(data).toMatchObject({
    generation: {
      status: 'QUEUED',
      task: {
        status: 'QUEUED',
        queuePosition: 3,
        readFailure: failure('INTERNAL', 'The server could not access its records.'),
      },
    },
  });
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: 50,
      err: expect.objectContaining({ message: 'The records cannot be used: the disk is full' }),
    }),
  );
});
