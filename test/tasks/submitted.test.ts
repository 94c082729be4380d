import { describe, expect, onTestFinished, test } from 'vitest';
import { packId } from '../../src/lib/ids.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { type FakeGateway, sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { operations, schema } from '../support/api-schema.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { watchRemovals } from '../support/removals.ts';
import { createDatabaseRecords, type Records } from '../support/records.ts';

/** A create of every kind that has no status endpoint, or has one only if its reply names an address. */
const creates = {
  SPEECH: 'createSpeech',
  VIDEO: 'createVideo',
  REFERENCE_VIDEO: 'createReferenceVideo',
  TRANSITION_VIDEO: 'createTransitionVideo',
  ANIMATION: 'createAnimation',
  IMAGE_FILL: 'fillImage',
  QUEUED_IMAGE: 'queueImage',
} as const;
type Kind = keyof typeof creates;
const untracked: readonly Kind[] = [
  'SPEECH',
  'VIDEO',
  'REFERENCE_VIDEO',
  'TRANSITION_VIDEO',
  'ANIMATION',
  'IMAGE_FILL',
];

const state = 'status isTerminal';
const taskState = `${state} tracking`;
const selection = `id kind ${state} finishedAt isCancelable task { id ${taskState} isFollowed }`;

/** All events of a watch. */
async function watch(app: TestApp, task: string): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  const query = `subscription { taskProgress(id: "${task}") { ${taskState} isFollowed } }`;
  for await (const { data } of app.wsClient().iterate<{ taskProgress: object }>({ query }))
    events.push(data?.taskProgress);
  return events;
}

interface View {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly task: { readonly id: string; readonly status: string };
}

/** Runs the example operation of the create with this selection. */
async function create(
  app: TestApp,
  kind: Kind,
  { collection = 'a', fields = selection } = {},
): Promise<View> {
  const field = creates[kind];
  const name = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const input = operations.find((operation) => operation.name === name)?.variables['input'];
  const { args = [] } = schema.getMutationType()?.getFields()[field] ?? {};
  const type = args.find((argument) => argument.name === 'input')?.type;
  const query = `mutation ($input: ${String(type)}, $collection: ID) {
    made: ${field}(input: $input, collection: $collection) { ... on Generation { ${fields} } }
  }`;
  const { data, errors } = await app.run<{ made: View }, object>(query, { input, collection });
  if (errors || !data) throw new Error(JSON.stringify(errors));
  return data.made;
}

/** Ids of the listed generations. */
async function list(app: TestApp, filter: string): Promise<readonly string[]> {
  const { data, errors } = await app.run<
    { generations: { edges: readonly { node: { id: string } }[] } },
    object
  >(`{ generations(filter: { ${filter} }) { edges { node { id } } } }`);
  if (errors) throw new AggregateError(errors);
  return data?.generations.edges.map(({ node }) => node.id) ?? [];
}

/** Accepts every create with a new id, and answers reads as the test defines. */
function startGateway(
  reply: (id: string) => object,
  read: (path: string) => object = () => ({}),
): Promise<FakeGateway> {
  let count = 0;
  return startFakeGateway((request, response) => {
    const isRead = request.method === 'GET';
    const id = `w-${isRead ? '' : ++count}`;
    const body = isRead ? read(request.url ?? '') : { id, task_id: id, request_id: id, ...reply(id) };
    sendJson(response, body);
  });
}

const hourMs = 3_600_000;
/** The state of a generation, and that of its task. */
const submitted = { status: 'SUBMITTED', isTerminal: true };
const submittedTask = { ...submitted, tracking: 'NOT_TRACKABLE' };
const queued = { status: 'QUEUED', isTerminal: false };
const queuedTask = { ...queued, tracking: 'POLLED' };

describe.each(untracked)('a task of kind %s without a status endpoint', (kind) => {
  test('is SUBMITTED wherever it is shown, and costs no read', async () => {
    const gateway = await startGateway(() => ({ status: 'pending' }));
    await using app = await startApp({
      gatewayUrl: gateway.url,
      env: { TASK_FOLLOW_HOURS: '24' },
      overrides: { clock: createManualClock() },
    });
    const made = await create(app, kind);
    const task = { ...submittedTask, isFollowed: false };
    expect(made).toMatchObject({ ...submitted, finishedAt: null, isCancelable: false, task });
    const read = `query ($id: ID!, $task: ID!, $keys: [_Any!]!) {
      generation(by: { id: $id }) { ${selection} }
      awaitGeneration(by: { id: $id }, timeoutSeconds: 300) { ${selection} }
      node(id: $id) { ... on Generation { ${selection} } }
      nodes(ids: [$task]) { ... on Task { ${taskState} } }
      task(id: $task) { ${taskState} generation { ${state} } }
      tasks(ids: [$task]) { ${taskState} }
      entities: _entities(representations: $keys) { ... on Generation { ${state} } ... on Task { status isTerminal } }
    }`;
    const keys = [
      { __typename: 'Generation', id: made.id },
      { __typename: 'Task', id: made.task.id },
    ];
    const { data, errors } = await app.run(read, { id: made.id, task: made.task.id, keys });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      generation: made,
      awaitGeneration: made,
      node: made,
      nodes: [submittedTask],
      task: { ...submittedTask, generation: submitted },
      tasks: [submittedTask],
      entities: [submitted, { status: 'SUBMITTED', isTerminal: true }],
    });
    expect(await watch(app, made.task.id)).toEqual([task]);
    expect(app.app.activity.polledTasks).toBe(0);
    expect(gateway.requests).toHaveLength(1);
  });

  test('is deleted GENERATION_DAYS after its creation', async () => {
    const gateway = await startGateway(() => ({ status: 'pending' }));
    const clock = createManualClock();
    await using app = await startApp({
      gatewayUrl: gateway.url,
      env: { GENERATION_DAYS: '2', IDEMPOTENCY_HOURS: '1', TASK_FOLLOW_HOURS: '1000' },
      overrides: { clock },
    });
    const { id } = await create(app, kind);
    clock.advance(hourMs);
    const later = await create(app, kind);
    const { removed, waitFor } = await watchRemovals(app, clock);
    clock.advance(47 * hourMs - 60_000);
    expect(await list(app, 'statuses: [SUBMITTED]')).toEqual([later.id, id]);
    await waitFor(1);
    expect(removed).toEqual([id]);
    expect(await list(app, 'statuses: [SUBMITTED]')).toEqual([later.id]);
  });

  test('makes room for a create at the limit, because it counts as ended', async () => {
    const gateway = await startGateway(() => ({ status: 'pending' }));
    await using app = await startApp({ gatewayUrl: gateway.url, env: { MAX_RECORDS_PER_OWNER: '2' } });
    const made = [await create(app, kind), await create(app, kind), await create(app, kind)];
    expect(await list(app, 'statuses: [SUBMITTED]')).toEqual([made[2]?.id, made[1]?.id]);
  });

  test.each([
    ['SUCCEEDED', { status: 'succeeded', output: 'https://x/a.mp4', audio_url: 'https://x/a.mp3' }],
    ['FAILED', { status: 'failed', error: 'no GPU' }],
  ])('is %s if the reply to its create says so', async (status, reply) => {
    const gateway = await startGateway(() => reply);
    await using app = await startApp({ gatewayUrl: gateway.url });
    const made = await create(app, kind);
    expect(made).toMatchObject({ status, isTerminal: true, task: { status, isTerminal: true } });
    expect(made).not.toMatchObject({ finishedAt: null });
    expect(await list(app, 'statuses: [SUBMITTED]')).toEqual([]);
    expect(await list(app, `statuses: [${status}]`)).toEqual([made.id]);
  });
});

describe('a filter by status', () => {
  test('separates SUBMITTED from the stored statuses, also with kinds, models and collections', async () => {
    let reply: object = {};
    const gateway = await startGateway(
      () => reply,
      () => ({ status: 'IN_QUEUE' }),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const accepted: string[] = [];
    const inC = { collection: 'c' };
    for (const word of ['pending', 'processing', 'simmering', undefined]) {
      reply = { status: word };
      for (const kind of untracked) accepted.push((await create(app, kind, inC)).id);
    }
    reply = { status: 'IN_QUEUE' };
    const waiting = await create(app, 'QUEUED_IMAGE', inC);
    reply = { status: 'pending', urls: { get: `${gateway.url}/p1` } };
    const polled = await create(app, 'ANIMATION', inC);
    reply = { status: 'pending', urls: { get: 'https://elsewhere.example/p1' } };
    const untrusted = await create(app, 'ANIMATION', inC);
    reply = { status: 'failed', error: 'no GPU' };
    const failed = await create(app, 'SPEECH');

    const all = [...accepted, untrusted.id].toReversed();
    const open = [polled.id, waiting.id];
    for (const more of ['', ', collection: "c"']) {
      expect(await list(app, `statuses: [SUBMITTED]${more}`)).toEqual(all.slice(0, 20));
      expect(await list(app, `statuses: [QUEUED]${more}`)).toEqual(open);
      expect(await list(app, `statuses: [RUNNING, UNKNOWN]${more}`)).toEqual([]);
      expect(await list(app, `statuses: [SUBMITTED, QUEUED], kinds: [ANIMATION]${more}`)).toHaveLength(6);
      expect(await list(app, `statuses: [SUBMITTED], models: ["sora-2"]${more}`)).toHaveLength(4);
      expect(await list(app, `statuses: [QUEUED, RUNNING, UNKNOWN], models: ["sora-2"]${more}`)).toEqual([]);
    }
    expect(await list(app, 'statuses: [SUBMITTED, FAILED], kinds: [SPEECH]')).toHaveLength(5);
    expect(await list(app, 'statuses: [FAILED]')).toEqual([failed.id]);
  });

  test('keeps a lost outcome UNKNOWN', async () => {
    const gateway = await startFakeGateway((_request, response) => void response.end('{}'));
    await using app = await startApp({ gatewayUrl: gateway.url });
    await create(app, 'SPEECH');
    expect(await list(app, 'statuses: [UNKNOWN]')).toHaveLength(1);
    expect(await list(app, 'statuses: [SUBMITTED]')).toEqual([]);
  });

  test('matches SUBMITTED changes in the live feed', async () => {
    const gateway = await startGateway(() => ({ status: 'pending' }));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const follow = (status: string) =>
      app.wsClient().iterate<{ generationChanged: object }>({
        query: `subscription { generationChanged(filter: { statuses: [${status}] }) {
          ... on GenerationChanged { generationId matchesFilter generation { ${state} } }
        } }`,
      });
    const feeds = [follow('SUBMITTED'), follow('QUEUED')];
    const first = feeds.map((feed) => feed.next());
    while (app.app.activity.feeds < 2) await new Promise((resolve) => setImmediate(resolve));
    const { id: generationId } = await create(app, 'SPEECH');
    const changed = (await Promise.all(first)).map(({ value }) => value?.data?.generationChanged);
    expect(changed).toEqual([
      { generationId, matchesFilter: true, generation: submitted },
      { generationId, matchesFilter: false, generation: submitted },
    ]);
    for (const feed of feeds) await feed.return?.();
  });
});

describe('two servers on one database', () => {
  const start = async (records: Records, gateway: FakeGateway, env: Readonly<Record<string, string>>) => {
    const app = await startApp({ gatewayUrl: gateway.url, env: { ...records.env, ...env } });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const read = async (app: TestApp, id: string) =>
    (await app.run<{ generation: object }, object>(`{ generation(by: { id: "${id}" }) { ${selection} } }`))
      .data?.generation;

  test('show a task by their own status endpoints, until it ends for both', async () => {
    const records = await createDatabaseRecords();
    let isDone = false;
    const gateway = await startGateway(
      () => ({ status: 'pending' }),
      () =>
        isDone ? { id: 'w-1', status: 'completed', video_url: 'https://x/a.mp4' } : { status: 'queued' },
    );
    const plain = await start(records, gateway, {});
    const made = await create(plain, 'VIDEO');
    expect(made).toMatchObject(submitted);
    const reading = await start(records, gateway, { GATEWAY_TASK_PATHS: 'VIDEO=/v1/video/query?id={id}' });
    expect(await read(reading, made.id)).toMatchObject({ ...queued, task: queuedTask });
    expect(await list(reading, 'statuses: [QUEUED]')).toEqual([made.id]);
    expect(await list(reading, 'statuses: [SUBMITTED]')).toEqual([]);
    expect(await list(plain, 'statuses: [QUEUED]')).toEqual([]);
    expect(await list(plain, 'statuses: [SUBMITTED]')).toEqual([made.id]);
    expect(await read(plain, made.id)).toMatchObject({ ...submitted, task: submittedTask });
    isDone = true;
    const ended = { status: 'SUCCEEDED', isTerminal: true };
    await reading.run(`{ awaitGeneration(by: { id: "${made.id}" }, timeoutSeconds: 30) { id } }`);
    expect(await read(reading, made.id)).toMatchObject({ ...ended, task: { tracking: 'POLLED' } });
    expect(await read(plain, made.id)).toMatchObject({ ...ended, task: { tracking: 'NOT_TRACKABLE' } });
  });

  test('show an animation by the origins that each of them trusts', async () => {
    const records = await createDatabaseRecords();
    const queue = await startFakeGateway(
      (_request, response) => void response.end('{"id":"p1","status":"starting"}'),
    );
    const gateway = await startGateway(() => ({ status: 'starting', urls: { get: `${queue.url}/p1` } }));
    const plain = await start(records, gateway, {});
    const made = await create(plain, 'ANIMATION');
    const trusting = await start(records, gateway, { GATEWAY_TRUSTED_ORIGINS: queue.url });
    expect(await read(trusting, made.id)).toMatchObject({ ...queued, task: queuedTask });
    expect(await read(plain, made.id)).toMatchObject({ ...submitted, task: submittedTask });
    expect(await list(trusting, 'statuses: [QUEUED], kinds: [ANIMATION]')).toEqual([made.id]);
    expect(await list(plain, 'statuses: [SUBMITTED], kinds: [ANIMATION]')).toEqual([made.id]);
    expect(queue.requests).toEqual(['GET /p1']);
  });
});

describe('a task that was created elsewhere', () => {
  const byHandle = `{ taskByHandle(handle: { kind: VIDEO, upstreamId: "v-1" }) { ${taskState} generation { id } } }`;

  test('is UNKNOWN and terminal without a status endpoint, because it may not exist', async () => {
    await using app = await startApp();
    const unknown = { status: 'UNKNOWN', isTerminal: true, tracking: 'NOT_TRACKABLE' };
    expect((await app.run(byHandle)).data).toEqual({ taskByHandle: { ...unknown, generation: null } });
    const id = packId('task', ['VIDEO', 'v-1']);
    expect(await watch(app, id)).toEqual([{ ...unknown, isFollowed: false }]);
    expect(app.sandbox.activity.requests('/v1/video/query')).toEqual([]);
  });

  test('is SUBMITTED once it was read, if its status endpoint is gone later', async () => {
    const directory = await createDirectory();
    const gateway = await startGateway(
      () => ({}),
      () => ({ id: 'v-1', status: 'processing' }),
    );
    const start = (env: Readonly<Record<string, string>>) =>
      startApp({ gatewayUrl: gateway.url, env: { DATA_DIR: directory, ...env } });
    const reading = await start({ GATEWAY_TASK_PATHS: 'VIDEO=/v1/video/query?id={id}' });
    expect((await reading.run(byHandle)).data).toMatchObject({ taskByHandle: { status: 'RUNNING' } });
    await reading[Symbol.asyncDispose]();
    await using plain = await start({});
    expect((await plain.run(byHandle)).data).toMatchObject({ taskByHandle: submittedTask });
  });
});

describe('an address that the gateway moves to an untrusted origin', () => {
  test('ends the watch, the wait and the polling', async () => {
    const clock = createManualClock();
    const gateway: FakeGateway = await startGateway(
      () => ({ status: 'starting', urls: { get: `${gateway.url}/p1` } }),
      () => ({ id: 'w-1', status: 'processing', urls: { get: 'https://elsewhere.example/p1' } }),
    );
    await using app = await startApp({
      gatewayUrl: gateway.url,
      overrides: { clock },
      env: { TASK_FOLLOW_HOURS: '24' },
    });
    // Without the state of the task, which would be read.
    const { id, task } = await create(app, 'ANIMATION', { fields: 'id task { id }' });
    const waited = app.run(`{ awaitGeneration(by: { id: "${id}" }, timeoutSeconds: 300) { ${state} } }`);
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    let isOver = false;
    void waited.then(() => (isOver = true));
    while (!isOver) {
      clock.advance(200);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await waited).data).toEqual({ awaitGeneration: submitted });
    expect(await watch(app, task.id)).toEqual([{ ...submittedTask, isFollowed: false }]);
    expect(app.app.activity.polledTasks).toBe(0);
    expect(await list(app, 'statuses: [SUBMITTED]')).toEqual([id]);
  });
});
