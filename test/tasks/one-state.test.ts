import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';

const generation =
  'status isTerminal finishedAt isCancelable error { code } output { __typename } assets { url }';
const create = (key: string, selection: string): string =>
  `createSong(input: { description: "a song", model: SONG_V5 }, idempotencyKey: "${key}") { ${selection} }`;

interface Made {
  readonly id: string;
  readonly task: { readonly id: string };
}

/** Starts the program with a gateway that has finished every song by the time it is read. */
async function startFinishing(count = 1) {
  const gateway = await startFakeMusic({
    answer: (ids) => ({ body: { code: 'success', data: ids.map(finishedSong) } }),
  });
  const app = await startApp({ gatewayUrl: gateway.url });
  const made: Made[] = [];
  for (let index = 0; index < count; index += 1) {
    const { data } = await app.run<{ createSong: Made }, object>(
      `mutation { ${create(`k${index}`, '... on Generation { id task { id } }')} }`,
    );
    if (data) made.push(data.createSong);
  }
  const [first] = made;
  if (!first) throw new Error('nothing was made');
  return { app, gateway, first, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Every object in an answer that has a status. */
function statesIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap(statesIn);
  return 'status' in value ? [value, ...nested] : nested;
}

/** The members of a generation or task that succeeded. */
function succeeded(state: Readonly<Record<string, unknown>>): object {
  const whole = {
    status: 'SUCCEEDED',
    isTerminal: true,
    finishedAt: expect.any(String),
    isCancelable: false,
    error: null,
    output: { __typename: 'SongList' },
    assets: [expect.anything()],
    task: expect.anything(),
    generation: expect.anything(),
  };
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name in state));
}

const g = `... on Generation { ${generation} }`;
const withTask = `... on Generation { ${generation} task { status } }`;
const withTaskFirst = `... on Generation { task { status isTerminal output { __typename } } ${generation} }`;
const list = (selection: string): string => `generations { edges { node { ${selection} } } }`;

const queries: Readonly<Record<string, (made: Made) => string>> = {
  'the fields of a generation before its task': ({ id }) => `generation(by: { id: "${id}" }) { ${withTask} }`,
  'the fields of a generation after its task': ({ id }) =>
    `generation(by: { id: "${id}" }) { ${withTaskFirst} }`,
  'a list': () => list(withTask),
  'a node': ({ id }) => `node(id: "${id}") { ${withTask} }`,
  'nodes of both types': ({ id, task }) =>
    `nodes(ids: ["${id}", "${task.id}", "${id}"]) { ${withTask} ... on Task { status generation { ${generation} } } }`,
  'entities of both types': ({ id, task }) =>
    `_entities(representations: [{ __typename: "Generation", id: "${id}" }, { __typename: "Task", id: "${task.id}" }]) {
      ${g} ... on Task { status }
    }`,
  'awaitGeneration after its timeout': ({ id }) =>
    `awaitGeneration(by: { id: "${id}" }, timeoutSeconds: 0) { ${withTask} }`,
  'the generation of a task': ({ task }) =>
    `task(id: "${task.id}") { generation { ${g} } status isTerminal }`,
  'the task of the generation of a task': ({ task }) =>
    `task(id: "${task.id}") { id generation { ${generation} task { status generation { ${generation} } } } }`,
  'a generation beside its task': ({ id, task }) =>
    `a: generation(by: { id: "${id}" }) { ${g} } b: task(id: "${task.id}") { status }`,
  'a task beside its generation': ({ id, task }) =>
    `a: task(id: "${task.id}") { status } b: generation(by: { id: "${id}" }) { ${g} }`,
  'a generation twice, once with its task': ({ id }) =>
    `a: generation(by: { id: "${id}" }) { ${g} } b: generation(by: { id: "${id}" }) { task { status } }`,
  'a generation beside a list with tasks': ({ id }) =>
    `a: generation(by: { id: "${id}" }) { ${g} } b: ${list('task { status }')}`,
  'a list beside a generation with its task': ({ id }) =>
    `a: ${list(generation)} b: generation(by: { id: "${id}" }) { task { status } }`,
  'a list beside a list with tasks': () => `a: ${list(generation)} b: ${list('task { status }')}`,
  'nodes beside tasks': ({ id, task }) =>
    `a: nodes(ids: ["${id}"]) { ${g} } b: tasks(ids: ["${task.id}"]) { status }`,
  'a task without a read beside a task with a read': ({ task }) =>
    `a: task(id: "${task.id}") { id generation { ${g} } } b: task(id: "${task.id}") { status }`,
  'a generation beside the nested task of another field': ({ id, task }) =>
    `a: generation(by: { id: "${id}" }) { ${g} } b: task(id: "${task.id}") { id generation { task { status } } }`,
};

describe('one answer shows the state of one read, for a generation and its task', () => {
  test.each(Object.entries(queries))('%s', async (_title, toQuery) => {
    await using finishing = await startFinishing();
    const { app, gateway, first } = finishing;
    const { data, errors } = await app.run<object, object>(`{ ${toQuery(first)} }`);
    expect(errors).toBeUndefined();
    const states = statesIn(data);
    expect(states.length).toBeGreaterThan(0);
    expect(states).toEqual(states.map(succeeded));
    expect(gateway.fetches).toHaveLength(1);
  });

  test('the generation of an error', async () => {
    await using finishing = await startFinishing();
    const { data } = await finishing.app.run<object, object>(
      `mutation { cancelGeneration(by: { id: "${finishing.first.id}" }) { __typename ... on NotCancelableError { generation { ${withTask} } } } }`,
    );
    expect(data).toMatchObject({ cancelGeneration: { __typename: 'NotCancelableError' } });
    const states = statesIn(data);
    expect(states).toHaveLength(2);
    expect(states).toEqual(states.map(succeeded));
  });

  test('each event of generationChanged', async () => {
    await using finishing = await startFinishing();
    const { app } = finishing;
    const events = app.wsClient().iterate({
      query: `subscription { generationChanged(filter: { statuses: [QUEUED] }) { ... on GenerationChanged { matchesFilter generation { ${withTask} } } } }`,
    });
    const next = events.next();
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    await app.run(`mutation { ${create('other', '__typename')} }`);
    const data = (await next).value?.data;
    expect(data).toMatchObject({ generationChanged: { matchesFilter: false } });
    const states = statesIn(data);
    expect(states).toHaveLength(2);
    expect(states).toEqual(states.map(succeeded));
    await events.return?.();
  });

  test('an event that a read has caused, without another read', async () => {
    const gateway = await startFakeMusic({
      answer: (ids, fetch) => ({
        body: {
          code: 'success',
          data: ids.map((id) => musicTask(id, 'IN_PROGRESS', { progress: `${fetch}%` })),
        },
      }),
    });
    await using app = await startApp({
      gatewayUrl: gateway.url,
      env: { TASK_POLL_SECONDS: '60', TASK_POLL_MAX_SECONDS: '60' },
    });
    const events = app.wsClient().iterate<{ generationChanged: { generation: object } }>({
      query:
        'subscription { generationChanged { ... on GenerationChanged { generation { task { progress } } } } }',
    });
    const first = events.next();
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    const { data } = await app.run<{ createSong: Made }, object>(
      `mutation { ${create('k', '... on Generation { id task { id } }')} }`,
    );
    const shown = (event: Awaited<typeof first>) => event.value?.data?.generationChanged.generation;
    expect(shown(await first)).toEqual({ task: { progress: 0.01 } });
    expect(shown(await events.next())).toEqual({ task: { progress: 0.01 } });
    const third = events.next();
    await app.run(`{ task(id: "${data?.createSong.task.id}") { status } }`);
    expect(shown(await third)).toEqual({ task: { progress: 0.02 } });
    expect(gateway.fetches).toHaveLength(2);
    await events.return?.();
  });

  test('an event of taskProgress, without another read', async () => {
    await using finishing = await startFinishing();
    const { app, gateway, first } = finishing;
    const events = app.wsClient().iterate({
      query: `subscription { taskProgress(id: "${first.task.id}") { status generation { ${withTask} } } }`,
    });
    const states = statesIn((await events.next()).value?.data);
    expect(states).toHaveLength(3);
    expect(states).toEqual(states.map(succeeded));
    expect(gateway.fetches).toHaveLength(1);
    await events.return?.();
  });

  test('a sibling of awaitGeneration shows the state after the wait', async () => {
    let isDone = false;
    const gateway = await startFakeMusic({
      answer: (ids) => ({
        body: { code: 'success', data: ids.map((id) => (isDone ? finishedSong(id) : musicTask(id))) },
      }),
    });
    await using app = await startApp({ gatewayUrl: gateway.url, env: { TASK_POLL_SECONDS: '0.1' } });
    const made = await app.run<{ createSong: Made }, object>(
      `mutation { ${create('k', '... on Generation { id task { id } }')} }`,
    );
    const { id, task } = made.data?.createSong ?? {};
    const answer = app.run<object, object>(
      `{ a: generation(by: { id: "${id}" }) { ${withTask} } b: awaitGeneration(by: { id: "${id}" }) { ${g} } c: ${list(generation)} d: task(id: "${task?.id}") { status } }`,
    );
    await gateway.waitForFetches(1);
    isDone = true;
    const states = statesIn((await answer).data);
    expect(states).toHaveLength(5);
    expect(states).toEqual(states.map(succeeded));
  });
});

test('lists, counts and sums beside awaitGeneration are those after the wait', async () => {
  const gateway = await startFakeMusic({ answer: (ids) => answer(ids) });
  let answer = (ids: readonly string[]) => ({
    body: { code: 'success', data: ids.map((id) => musicTask(id)) },
  });
  const env = { TASK_POLL_SECONDS: '0.1', MAX_RUNNING_PER_OWNER: '5' };
  await using app = await startApp({ gatewayUrl: gateway.url, env });
  const made = await app.run<{ createSong: Made }, object>(
    `mutation { ${create('k', '... on Generation { id }')} }`,
  );
  const running =
    'generations(filter: { statuses: [SUBMITTED, QUEUED, RUNNING] }) { totalCount edges { cursor } }';
  const others = `viewer { limits { used } } usageTotals { succeeded }`;
  const query = `query ($timeoutSeconds: Int) { ${running} ${others} awaitGeneration(by: { id: "${made.data?.createSong.id}" }, timeoutSeconds: $timeoutSeconds) { isTerminal } }`;
  const ask = (timeoutSeconds: number) => app.run<object, object>(query, { timeoutSeconds });
  expect(await ask(0)).toEqual({
    data: {
      generations: { totalCount: 1, edges: [expect.anything()] },
      viewer: { limits: [{ used: 1 }] },
      usageTotals: [{ succeeded: 0 }],
      awaitGeneration: { isTerminal: false },
    },
  });
  const reads = gateway.fetches.length;
  const ended = ask(60);
  await gateway.waitForFetches(reads + 1);
  answer = (ids) => ({ body: { code: 'success', data: ids.map(finishedSong) } });
  expect(await ended).toEqual({
    data: {
      generations: { totalCount: 0, edges: [] },
      viewer: { limits: [{ used: 0 }] },
      usageTotals: [{ succeeded: 1 }],
      awaitGeneration: { isTerminal: true },
    },
  });
});

test('a cancel shows the state of the read that follows it', async () => {
  let reads = 0;
  const gateway = await startFakeGateway((request, response) => {
    if (request.method === 'GET') reads += 1;
    const status = reads === 0 ? 'IN_QUEUE' : 'CANCELED';
    const links = { cancel_url: `http://${request.headers.host}/cancel` };
    sendJson(response, { request_id: 'r', status, ...links });
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const selection = '... on Generation { id status isTerminal finishedAt task { status } }';
  const { data } = await app.run<Record<string, Made>, object>(
    `mutation {
      queueImage(input: { prompt: "a" }, idempotencyKey: "k") { ${selection} }
      cancelGeneration(by: { idempotencyKey: "k" }) { ${selection} }
    }`,
  );
  expect(data).toMatchObject({
    queueImage: { status: 'QUEUED', isTerminal: false, finishedAt: null, task: { status: 'QUEUED' } },
    cancelGeneration: {
      status: 'CANCELED',
      isTerminal: true,
      finishedAt: expect.any(String),
      task: { status: 'CANCELED' },
    },
  });
});

test('a generation that ends right after the read still has the state of the read', async () => {
  const gateway = await startFakeMusic();
  let end = async (): Promise<void> => {};
  await using app = await startApp({
    gatewayUrl: gateway.url,
    overrides: {
      wrapStore: (store) => ({
        ...store,
        async saveTask(task, patch) {
          const saved = await store.saveTask(task, patch);
          // As another server that shares the records.
          end = async () => {
            const output = { type: 'song-list' } as const;
            await store.saveTask(
              { ...task, status: 'SUCCEEDED', output },
              { status: 'SUCCEEDED', output, finishedAt: 1 },
            );
          };
          return saved;
        },
        async findSummaries(...parameters) {
          await end();
          return store.findSummaries(...parameters);
        },
      }),
    },
  });
  const made = await app.run<{ createSong: Made }, object>(
    `mutation { ${create('k', '... on Generation { id task { id } }')} }`,
  );
  const { data } = await app.run<object, object>(
    `{ task(id: "${made.data?.createSong.task.id}") { status generation { status isTerminal finishedAt output { __typename } } } }`,
  );
  expect(data).toEqual({
    task: {
      status: 'RUNNING',
      generation: { status: 'RUNNING', isTerminal: false, finishedAt: null, output: null },
    },
  });
});

describe('reads', () => {
  test('of a list of 100 generations are one request', async () => {
    await using finishing = await startFinishing(100);
    const { app, gateway } = finishing;
    const { data } = await app.run<object, object>(
      `{ generations(first: 100) { edges { node { ${withTask} } } } }`,
    );
    const states = statesIn(data);
    expect(states).toHaveLength(200);
    expect(states).toEqual(states.map(succeeded));
    expect(gateway.fetches.map(({ length }) => length)).toEqual([100]);
  });

  const plain = (app: TestApp, { id, task }: Made, isIncluded: boolean) =>
    app.run<object, object>(
      `query ($isIncluded: Boolean!) {
        generation(by: { id: "${id}" }) { ${generation} task { id kind tracking generation { status } } ... @include(if: $isIncluded) { task { status } } }
        generations { edges { node { ${generation} task { links { get } } } } }
        node(id: "${id}") { ${g} ... on Task { status } }
        nodes(ids: ["${id}"]) { ${g} ... on Voice { id } ... on Task { status } }
        task(id: "${task.id}") { id status @include(if: $isIncluded) generation { ${generation} task @include(if: $isIncluded) { status } } }
        awaitGeneration(by: { id: "${id}" }, timeoutSeconds: 0) { ...F }
      }
      fragment F on Generation { status task @skip(if: true) { ...T } }
      fragment T on Task { status }`,
      { isIncluded },
    );

  test('are sent only for selected fields of tasks', async () => {
    await using finishing = await startFinishing();
    const { app, gateway, first } = finishing;
    const without = await plain(app, first, false);
    expect(without.errors).toBeUndefined();
    expect(new Set(statesIn(without.data).map(({ status }) => status))).toEqual(new Set(['QUEUED']));
    // awaitGeneration polls.
    expect(gateway.fetches.length).toBeLessThanOrEqual(1);
    const included = await plain(app, first, true);
    expect(included.errors).toBeUndefined();
    expect(new Set(statesIn(included.data).map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
  });
});
