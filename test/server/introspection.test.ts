import { type ExecutionResult, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxKey, startApp } from '../support/app.ts';
import { codeOf, postJson } from '../support/http.ts';
import { openRawSocket, type RawMessage } from '../support/raw-socket.ts';

let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

function repeat(count: number, toText: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => toText(index)).join(' ');
}

const everything = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});
const types = 'types { name description fields { name description args { name description } } }';

const tooLarge: readonly (readonly [string, string, RegExp])[] = [
  [
    'aliases of __schema',
    `{ ${repeat(180, (i) => `a${i}: __schema { ${types} }`)} }`,
    /can select __schema once/,
  ],
  ['two of __schema', '{ __schema { description } a: __schema { description } }', /can select __schema once/],
  [
    '__schema in fragments',
    'query { ...A a: __schema { description } } fragment A on Query { __schema { description } }',
    /can select __schema once/,
  ],
  ['aliases of _service', `{ ${repeat(249, (i) => `a${i}: _service { sdl }`)} }`, /can select _service once/],
  ['aliases of sdl', `{ _service { ${repeat(249, (i) => `a${i}: sdl`)} } }`, /can select sdl once/],
  [
    '_service in fragments',
    'query { ...A a: _service { sdl } } fragment A on Query { _service { sdl } }',
    /can select _service once/,
  ],
  [
    'aliases of types',
    `{ __schema { ${repeat(60, (i) => `a${i}: ${types}`)} } }`,
    /selects about \d+ values\. At most \d+ are allowed/,
  ],
  [
    'aliases of __type',
    `{ ${repeat(240, (i) => `a${i}: __type(name: "ChatInput") { inputFields { name description type { name kind } } }`)} }`,
    /selects about \d+ values/,
  ],
  [
    'long aliases',
    `{ __schema { types { ${repeat(100, (i) => `a${i}${'x'.repeat(5000)}: name`)} } } }`,
    /selects about \d+ values/,
  ],
  [
    'aliases inside of a field',
    `{ __schema { types { fields { ${repeat(200, (i) => `a${i}: args { name }`)} } } } }`,
    /selects about \d+ values/,
  ],
];

describe('introspection', () => {
  test.each(tooLarge)('that is too large is LIMIT_EXCEEDED: %s', async (_by, query, message) => {
    const before = process.cpuUsage();
    const { json } = await postJson(app.url, { query });
    const { user, system } = process.cpuUsage(before);
    expect(codeOf(json)).toBe('LIMIT_EXCEEDED');
    expect(json.errors?.[0]?.message).toMatch(message);
    expect((user + system) / 1000).toBeLessThan(1000);
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('a', query);
    expect(await socket.waitForMessage('a')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'LIMIT_EXCEEDED' } }],
    });
  });

  test.each([
    ['the standard query', getIntrospectionQuery()],
    ['the standard query with every option', everything],
    ['beside other fields', '{ __typename __schema { queryType { name } } generations { totalCount } }'],
    [
      'of several types',
      `{ a: __type(name: "__Schema") { fields { name } } b: __type(name: "__Type") { fields { name args { name } } } c: __type(name: "Query") { fields { name } } }`,
    ],
    ['of the subgraph', '{ _service { sdl } }'],
    [
      'of the subgraph, in merged selections',
      '{ _service { sdl } ...A } fragment A on Query { _service { __typename sdl } }',
    ],
  ])('is answered: %s', async (_which, query) => {
    const { json } = await postJson(app.url, { query }, sandboxKey);
    expect(json.errors).toBeUndefined();
    expect(json.data).toBeTruthy();
  });

  test('has the same answer when it is repeated, over every transport', async () => {
    const first = await postJson(app.url, { query: everything });
    const again = await postJson(app.url, { query: everything });
    expect(again.text).toBe(first.text);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    const overEvents = await postJson(app.url, { query: everything }, { accept: 'text/event-stream' });
    expect(overEvents.text).toContain(first.text);
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('a', everything);
    expect(await socket.waitForMessage('a')).toEqual({ id: 'a', type: 'next', payload: first.json });
  });

  test('has the answer of its operation, if a document has several', async () => {
    const query =
      'query A { __schema { queryType { name } } } query B { __type(name: "Task") { name } } query C($name: String!) { __type(name: $name) { name } }';
    const ask = async (operationName: string, variables = {}) =>
      (await postJson(app.url, { query, operationName, variables })).json.data;
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await ask('A')).toEqual({ __schema: { queryType: { name: 'Query' } } });
      expect(await ask('B')).toEqual({ __type: { name: 'Task' } });
      for (const name of ['Generation', 'Voice'])
        expect(await ask('C', { name })).toEqual({ __type: { name } });
    }
  });

  test('beside other fields is executed each time, for each caller', async () => {
    const query = '{ __schema { queryType { name } } generations { totalCount } }';
    const caller = { ...sandboxKey, 'x-end-user': 'counted' };
    const count = async (headers: Readonly<Record<string, string>>) =>
      (await postJson(app.url, { query }, headers)).json.data;
    const expected = (totalCount: number) => ({
      __schema: { queryType: { name: 'Query' } },
      generations: { totalCount },
    });
    for (const _round of [1, 2, 3]) expect(await count(caller)).toEqual(expected(0));
    const create =
      'mutation { createChatCompletion(input: { model: "gpt-4o", messages: [{ role: USER, content: { text: "Hi" } }] }) { __typename } }';
    await postJson(app.url, { query: create }, caller);
    expect(await count(caller)).toEqual(expected(1));
    expect(await count({ ...sandboxKey, 'x-end-user': 'other' })).toEqual(expected(0));
  });

  test('beside other fields is RATE_LIMITED if too much waits', async () => {
    const flooding = await openRawSocket(app.url);
    await flooding.init(sandboxKey);
    const ids = Array.from({ length: 60 }, (_, index) => `part-${index}`);
    const query = everything.replace('__schema', 'generations { totalCount } __schema');
    for (const id of ids) flooding.subscribe(id, query);
    const answers = await Promise.all(ids.map((id) => flooding.waitForMessage(id)));
    const refused = answers.filter(({ payload }) =>
      JSON.stringify(payload).includes('Too many introspection'),
    );
    expect(refused.length).toBeGreaterThan(30);
  });

  test('takes little time when it is repeated', async () => {
    const costOf = async (query: string): Promise<number> => {
      const before = process.threadCpuUsage();
      await postJson(app.url, { query });
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    await costOf(everything);
    const [repeated, others] = [[], []] as [number[], number[]];
    for (let index = 0; index < 10; index += 1) {
      repeated.push(await costOf(everything));
      others.push(await costOf(everything.replace('__schema', `s${index}: __schema`)));
    }
    // The client's own time is included.
    expect(Math.min(...repeated)).toBeLessThan(Math.min(...others) / 2);
  });

  test('depends on its variables and operation name', async () => {
    const query = `query A($name: String!) { __type(name: $name) { name } } query B { __schema { queryType { name } } }`;
    const ask = async (operationName: string, variables?: object) =>
      (await postJson(app.url, { query, operationName, variables })).json.data;
    for (const _round of [1, 2]) {
      expect(await ask('A', { name: 'Task' })).toEqual({ __type: { name: 'Task' } });
      expect(await ask('A', { name: 'Voice' })).toEqual({ __type: { name: 'Voice' } });
      expect(await ask('B')).toEqual({ __schema: { queryType: { name: 'Query' } } });
    }
  });

  test('lists every type', async () => {
    const { json } = await postJson(app.url, { query: everything });
    const { __schema: schema } = json.data as unknown as IntrospectionQuery; // The standard query.
    expect(schema.types.map(({ name }) => name)).toEqual(expect.arrayContaining(['Generation', '_Service']));
  });

  test('that is not cached takes turns between callers, and is RATE_LIMITED if too much waits', async () => {
    const distinct = (name: string): string => everything.replace('__schema', `${name}: __schema`);
    const flooding = await openRawSocket(app.url);
    await flooding.init(sandboxKey);
    const ids = Array.from({ length: 60 }, (_, index) => `flood-${index}`);
    for (const id of ids) flooding.subscribe(id, distinct(id.replace('-', '_')));
    await flooding.inbox.when((all) =>
      all.some(({ payload }) => JSON.stringify(payload)?.includes('RATE_LIMITED')),
    );
    const { json } = await postJson(app.url, { query: distinct('other') });
    const answeredBefore = flooding.texts.filter((text) => text.includes('"data"')).length;
    expect(json.data).toHaveProperty('other.types.length');
    expect(answeredBefore).toBeLessThan(10);

    const first = await Promise.all(ids.map((id) => flooding.waitForMessage(id)));
    const isRefused = ({ payload }: RawMessage): boolean => 'errors' in (payload as ExecutionResult);
    const refused = first.filter(isRefused);
    expect(refused.length).toBeGreaterThan(30);
    expect(refused.length).toBeLessThan(ids.length);
    for (const { payload } of refused)
      expect(payload).toMatchObject({
        errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } }],
      });

    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        postJson(app.url, { query: distinct(`http_${index}`) }, sandboxKey),
      ),
    );
    const refusedReply = replies.find(({ json: { errors } }) => errors);
    expect([refusedReply?.status, refusedReply?.headers['retry-after']]).toEqual([429, '1']);
  });
});

test.each([
  ['an integer beyond ±2^53', '9007199254740993'],
  ['a list that nests deeply', '['.repeat(20_000) + ']'.repeat(20_000)],
])('is answered beside a variable with %s', async (_what, value) => {
  const text = `{"query":"{ __schema { description } }","variables":{"unused":${value}}}`;
  for (const _use of ['first', 'repeated', 'cached'])
    expect((await postJson(app.url, text)).json).toMatchObject({ data: { __schema: {} } });
});
