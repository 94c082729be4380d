import { describe, expect, onTestFinished, test } from 'vitest';
import { maxAnswerObjects, AnswerBudget } from '../../src/graphql/answer-budget.ts';
import { sizeOfValue } from '../../src/lib/json-size.ts';
import type { ContentRef } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { taskIdOf } from '../../src/tasks/task-kinds.ts';
import { sandboxKey, startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { openEventStream, postJson, toArray } from '../support/http.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const maxBytes = 65_536;

interface BudgetApp {
  readonly app: TestApp;
  /** The contents that were read, in order. */
  readonly contents: readonly ContentRef[];
}

/** An app whose answers have at most 64 KB. */
async function start(options: TestAppOptions = {}): Promise<BudgetApp> {
  const contents: ContentRef[] = [];
  const wrapStore = (store: Store): Store => ({
    ...store,
    findContents(owner, refs) {
      contents.push(...refs);
      return store.findContents(owner, refs);
    },
  });
  const app = await startApp({
    ...options,
    env: { MAX_ANSWER_BYTES: String(maxBytes), ...options.env },
    overrides: { wrapStore },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, contents };
}

/** Records do not store text that looks like base64. */
function textOf(length: number): string {
  return 'x '.repeat(length / 2);
}

async function chatWithPrompt(app: TestApp, length: number): Promise<string> {
  return made(await createChatCompletion(app, { input: ask(textOf(length)) })).id;
}

interface Aliased {
  readonly generation: Readonly<Record<string, unknown>>;
}

const noRoom = {
  message:
    'The answer has no room for this value: it is limited to 65536 bytes and 100000 objects. Select fewer fields or request smaller pages.',
  extensions: { code: 'LIMIT_EXCEEDED', retry: 'FIX_INPUT' },
};

describe('the budget of an answer', () => {
  test('has room for a secret that is shown once, also after other fields have filled it', async () => {
    const { app } = await start({ env: { OWNER_WEBHOOKS: 'on', WEBHOOK_HOSTS: 'hooks.test' } });
    // Repeats each prompt until it has no room, the longest first.
    const fields: string[] = [];
    for (const length of [4000, 400, 30]) {
      const prompts = Array.from({ length: 20 }, (_, index) => `a${index}: prompt`).join(' ');
      const id = await chatWithPrompt(app, length);
      fields.push(
        `chat${length}: cancelGeneration(by: { id: "${id}" }) { ... on Generation { ${prompts} } }`,
      );
    }
    const { data, errors } = await app.run<{ hook: unknown }, object>(
      `mutation {
        ${fields.join(' ')}
        hook: createWebhook(input: { url: "https://hooks.test/" }) { ... on CreatedWebhook { secret } }
      }`,
    );
    expect(errors?.[0]).toMatchObject(noRoom);
    expect(data?.hook).toEqual({ secret: expect.stringMatching(/^whsec_/) });
  });

  test('counts a value once for each alias, and leaves out only the values without room', async () => {
    const { app } = await start();
    const id = await chatWithPrompt(app, 25_000);
    const query = `{ generation(by: { id: "${id}" }) { a: prompt b: prompt c: prompt status d: prompt kind } }`;
    const { data, errors } = await app.run<Aliased, object>(query);
    const text = textOf(25_000);
    expect(data?.generation).toEqual({
      a: text,
      b: text,
      c: null,
      status: 'SUCCEEDED',
      d: null,
      kind: 'CHAT',
    });
    expect(errors).toMatchObject([
      { ...noRoom, path: ['generation', 'c'] },
      { ...noRoom, path: ['generation', 'd'] },
    ]);
  });

  test('applies over every transport, with the request id in the error', async () => {
    const { app } = await start();
    const id = await chatWithPrompt(app, 40_000);
    const query = `{ generation(by: { id: "${id}" }) { a: prompt b: prompt } }`;
    const extensions = { code: 'LIMIT_EXCEEDED', requestId: expect.any(String) as string };
    const expected = { errors: [{ path: ['generation', 'b'], extensions }] };
    const overHttp = await postJson(app.url, { query }, sandboxKey);
    expect(overHttp.json).toMatchObject(expected);
    const { events } = await openEventStream(app.url, { query }, { headers: sandboxKey });
    const [next] = await toArray(events);
    expect(JSON.parse(next?.data ?? '')).toMatchObject(expected);
    const socket = await openRawSocket(app.url);
    await socket.init(sandboxKey);
    socket.subscribe('a', query);
    expect(await socket.waitForMessage('a')).toMatchObject({ type: 'next', payload: expected });
    socket.subscribe('b', '{ __typename }');
    await socket.waitForEnd('b');
  });

  test('is reported at most 100 times; one more error has the number of the others', async () => {
    const { app } = await start();
    const id = await chatWithPrompt(app, 70_000);
    const aliases = Array.from({ length: 150 }, (_, index) => `p${index}: prompt`).join(' ');
    const { data, errors = [] } = await app.run<Aliased, object>(
      `{ generation(by: { id: "${id}" }) { status ${aliases} } }`,
    );
    expect(data?.generation).toMatchObject({ status: 'SUCCEEDED', p0: null, p149: null });
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)?.message).toMatch(/^50 more values are null for the same reason\. /);
  });

  test('counts the names of aliases', async () => {
    const { app } = await start();
    const long = 'a'.repeat(30_000);
    const query = `{ nodes(ids: ["a", "b", "c"]) { ${long}: __typename } task(id: "none") { id } }`;
    const { data, errors } = await app.run<object, object>(query);
    expect(data).toEqual({ nodes: null, task: null });
    expect(errors).toMatchObject([{ ...noRoom, path: ['nodes'] }]);
  });

  test('is new for each event of a subscription', async () => {
    const { app } = await start();
    const id = await chatWithPrompt(app, 40_000);
    const generation = '... on ChatCompleted { generation { prompt } } soFar { messages { content } }';
    const events: { readonly errors?: unknown }[] = [];
    for await (const event of app
      .wsClient()
      .iterate({ query: `subscription { chatEvents(id: "${id}") { __typename ${generation} } }` }))
      events.push(event);
    expect(events).toMatchObject([
      { data: { chatEvents: { __typename: 'ChatSnapshot', soFar: { messages: [{}] } } } },
      { errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] },
    ]);
    expect(events[0]?.errors).toBeUndefined();
  });
});

describe('contents of records', () => {
  test('are not read for a list that does not select them', async () => {
    const { app, contents } = await start();
    for (const length of [2, 4]) await chatWithPrompt(app, length);
    await app.run('{ generations { edges { node { id status isCancelable usage { totalTokens } } } } }');
    expect(contents).toEqual([]);
    await app.run('{ generations { edges { node { prompt } } } }');
    expect(contents.map(({ name }) => name)).toEqual(['prompt', 'prompt']);
  });

  test('are not read once the budget is used up', async () => {
    const { app, contents } = await start();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift(await chatWithPrompt(app, 25_000));
    const { data, errors } = await app.run<object, object>(
      '{ generations { edges { node { id assets { url } input } } } }',
    );
    expect(contents.filter(({ name }) => name === 'input').map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(errors).toMatchObject(
      [2, 3, 4].map((index) => ({ path: ['generations', 'edges', index, 'node', 'input'] })),
    );
    expect(data).toMatchObject({ generations: { edges: ids.map((id) => ({ node: { id, assets: [] } })) } });
  });
});

test('large contents are read in batches, so that other clients are served in between', async () => {
  const batches: number[] = [];
  const wrapStore = (store: Store): Store => ({
    ...store,
    measureContents: async (_owner, refs) => refs.map(() => 400_000),
    findContents(owner, refs) {
      batches.push(refs.length);
      return store.findContents(owner, refs);
    },
  });
  await using app = await startApp({ overrides: { wrapStore } });
  for (const length of [2, 4, 6, 8, 10]) await chatWithPrompt(app, length);
  const { data } = await app.run<{ generations: { edges: readonly { node: { prompt: string } }[] } }, object>(
    '{ generations { edges { node { prompt } } } }',
  );
  expect(data?.generations.edges.map(({ node }) => node.prompt.length)).toEqual([10, 8, 6, 4, 2]);
  expect(batches).toEqual([2, 2, 1]);
});

test('task records are not read once the budget is used up', async () => {
  const read: string[] = [];
  const wrapStore = (store: Store): Store => ({
    ...store,
    measureTasks: async (_owner, ids) => ids.map(() => 40_000),
    findTasks(owner, ids) {
      read.push(...ids);
      return store.findTasks(owner, ids);
    },
  });
  await using app = await startApp({
    env: { MAX_ANSWER_BYTES: String(maxBytes) },
    overrides: { wrapStore },
  });
  const ids = ['a', 'b'].map((id) => taskIdOf({ kind: 'SONG', upstreamId: id }));
  const { data, errors } = await app.run<object, object>(
    'query ($ids: [ID!]!) { tasks(ids: $ids) { id kind } }',
    { ids },
  );
  expect(read).toEqual(ids.slice(0, 1));
  expect(data).toEqual({ tasks: [{ id: ids[0], kind: 'SONG' }, null] });
  expect(errors).toMatchObject([{ ...noRoom, path: ['tasks', 1] }]);
});

test('an answer has a limited number of objects', () => {
  const budget = new AnswerBudget(1_000_000);
  expect(budget.admitValue(0, maxAnswerObjects)).toBe(true);
  expect(budget.admitValue(0, 1)).toBe(false);
  expect(budget.admitValue(1, 0)).toBe(true);
});

test.each([
  ['a string', 'é\u0000"'],
  ['numbers', [1, -1.7976931348623157e308, true, null]],
  ['an object', { a: [{}, []], 'b"': { c: '' } }],
])('the size of %s, times six, is no smaller than its JSON', (_what, value) => {
  expect(sizeOfValue(value, Infinity) * 6).toBeGreaterThanOrEqual(JSON.stringify(value).length);
});

test('an answer without a credential is limited to 256 KB', async () => {
  await using app = await startApp();
  const aliases = Array.from({ length: 100 }, (_, index) => `a${index}: inputSchema(input: "ChatInput")`);
  const query = `{ ${aliases.join(' ')} }`;
  // Repeated queries are compiled.
  for (const _use of [1, 2, 3]) {
    const anonymous = await postJson(app.url, { query });
    expect(anonymous.json.errors?.[0]).toMatchObject({
      message: expect.stringContaining('limited to 262144 bytes'),
      extensions: { code: 'LIMIT_EXCEEDED' },
    });
    expect(anonymous.json.data?.['a0']).toMatchObject({ title: 'ChatInput' });
    expect(anonymous.text.length).toBeLessThan(400_000);
  }
  const identified = await postJson(app.url, { query }, sandboxKey);
  expect(identified.json.errors).toBeUndefined();
});
