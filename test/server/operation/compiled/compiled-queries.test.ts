import {
  execute,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createCompiledQueries } from '../../../../src/server/operation/compiled/compiled-queries.ts';
import { AnswerBudget } from '../../../../src/graphql/answer-budget.ts';
import type { Context } from '../../../../src/graphql/context.ts';
import { limitAnswers } from '../../../../src/graphql/limit-answers.ts';
import { packId } from '../../../../src/lib/ids.ts';
import { sandboxKey, startApp } from '../../../support/app.ts';
import { ask, createChatCompletion } from '../../../support/chats.ts';
import { sendJson, startFakeGateway } from '../../../support/fake-gateway.ts';
import { exchangeBytes, toBytes } from '../../../support/raw-http.ts';

describe('a repeated query', () => {
  const log: Readonly<Record<string, unknown>>[] = [];
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ env: { MAX_ANSWER_BYTES: '65536' }, onLog: (line) => void log.push(line) });
    for (const text of ['One', 'Two']) await createChatCompletion(app, { input: ask(text) });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** The bytes of the reply to every repetition, which are the same at the address of the reference way. */
  async function repeat(
    body: object,
    headers: Readonly<Record<string, string>> = sandboxKey,
  ): Promise<string> {
    const reply = await exchangeBytes(app, toBytes('/graphql?yoga', { headers, body }));
    for (let use = 1; use <= 5; use += 1)
      expect([use, await exchangeBytes(app, toBytes('/graphql', { headers, body }))]).toEqual([use, reply]);
    return reply;
  }

  const byId =
    'query ($id: ID!, $first: Int = 1) { a: node(id: $id) { id } voices(first: $first) { edges { node { id } } } }';
  test.each<[string, object]>([
    ['fields', { query: '{ voices(first: 3) { edges { cursor node { id name language gender raw } } } }' }],
    [
      'aliases and fragments',
      {
        query:
          'fragment F on Voice { id x: name ... @include(if: true) { __typename } } { a: voices(first: 2) { edges { node { ...F name } } } b: voices(first: 1) { edges { node { ...F } } } t: __typename }',
      },
    ],
    ['variables with defaults', { query: byId, variables: { id: 'voice_x' } }],
    ['a variable that is null', { query: byId, variables: { id: 'voice_x', first: null } }],
    ['a variable of another type', { query: byId, variables: { id: 'voice_x', first: 'many' } }],
    ['a missing variable', { query: byId }],
    [
      'variables below the root',
      {
        query:
          'query ($with: Boolean!) { voices(first: 1) { edges { node { id name @include(if: $with) } } } }',
        variables: { with: false },
      },
    ],
    [
      'a skipped root field',
      {
        query:
          'query ($skip: Boolean!) { __typename voices(first: 1) @skip(if: $skip) { edges { cursor } } }',
        variables: { skip: true },
      },
    ],
    [
      'promises below the root',
      { query: '{ voices(first: 1) { pageInfo { hasNextPage endCursor } totalCount } }' },
    ],
    [
      'records',
      {
        query:
          '{ generations { totalCount edges { node { id kind status prompt output { __typename } input } } } }',
      },
    ],
    [
      'records without contents',
      { query: '{ generations(first: 1) { edges { cursor node { id kind createdAt } } } }' },
    ],
    [
      'nodes by id',
      { query: '{ nodes(ids: ["voice_x", "task_x"]) { __typename id } tasks(ids: ["task_x"]) { id } }' },
    ],
    [
      'an error of a root field',
      {
        query:
          '{ __typename generations(first: 1000) { edges { cursor } } voices(first: 1) { edges { cursor } } }',
      },
    ],
    [
      'errors of several root fields',
      { query: '{ a: generations(first: 1000) { totalCount } b: generations(first: -1) { totalCount } }' },
    ],
    [
      'an answer beyond its budget',
      { query: '{ voices(first: 100) { edges { node { raw a: raw b: raw c: raw d: raw e: raw } } } }' },
    ],
    ['sums', { query: '{ usageTotals { __typename } }' }],
    ['the limits of inputs', { query: '{ inputSchema(name: "ChatInput") }' }],
    ['a mutation', { query: 'mutation { deleteGenerations(ids: []) { deletedIds } }' }],
    [
      'several operations',
      {
        query:
          'query A { voices(first: 1) { edges { cursor } } } query B { voices(first: 2) { edges { cursor } } }',
        operationName: 'B',
      },
    ],
    ['introspection', { query: '{ __schema { queryType { name } } voices(first: 1) { edges { cursor } } }' }],
    ['the subgraph', { query: '{ _service { __typename } _entities(representations: []) { __typename } }' }],
  ])('with %s has the same reply each time', async (_what, body) => {
    expect(await repeat(body)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('has the same reply for each caller', async () => {
    const query = '{ generations { edges { node { id } } } }';
    const mine = await repeat({ query });
    const others = await repeat({ query }, { authorization: 'Bearer sk-another' });
    const nobody = await repeat({ query }, {});
    expect(mine).toContain('generation_');
    expect(others).toContain('{"data":{"generations":{"edges":[]}}}');
    expect(nobody).toContain('UNAUTHENTICATED');
  });

  test('that graphql-js must finish each time is soon not compiled any more', async () => {
    const countFallbacks = (): number =>
      log.filter(({ msg }) => msg === 'graphql-js finished a compiled query').length;
    const before = countFallbacks();
    await repeat({ query: '{ voices(first: 4) { pageInfo { hasNextPage } } }' });
    expect(countFallbacks() - before).toBe(3);
  });
});

test('graphql-js does not read again what a compiled query has read', async () => {
  const gateway = await startFakeGateway((_request, response) =>
    sendJson(response, '{"data":[{"voice_id":"a"}]}'),
  );
  await using app = await startApp({ gatewayUrl: gateway.url });
  const query =
    '{ voices(first: 1) { edges { node { id } } pageInfo { startCursor hasPreviousPage } totalCount } }';
  for (let use = 1; use <= 6; use += 1) {
    const headers = { authorization: `Bearer sk-caller-${use}` };
    const { errors } = await app.run(query, {}, { headers });
    expect(errors).toBeUndefined();
  }
  const perUse = gateway.requests.length / 6;
  expect(new Set(gateway.requests).size).toBe(perUse);
});

test('an item of one root field may fail while another root field waits for the gateway', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const gateway = await startFakeGateway((_request, response) =>
    sendJson(response, '{"data":[{"voice_id":"a"}]}'),
  );
  await using app = await startApp({ gatewayUrl: gateway.url });
  const query =
    'query ($of: [_Any!]!) { voices(first: 1) { edges { node { id } } } _entities(representations: $of) { __typename } }';
  for (let use = 1; use <= 3; use += 1) {
    // The voices of another caller are not known yet.
    const headers = { authorization: `Bearer sk-caller-${use}` };
    const { data, errors } = await app.run(query, { of: [{ __typename: 'Robot', id: '1' }] }, { headers });
    expect(data).toMatchObject({ voices: { edges: [{ node: {} }] }, _entities: [null] });
    expect(errors?.map(({ path }) => path)).toEqual([['_entities', 0]]);
  }
  expect(gateway.requests.length).toBeGreaterThanOrEqual(3);
  expect(unhandled).toEqual([]);
});

describe('a repeated query of tasks', () => {
  const idOf = (kind: string, upstreamId: string): string => packId('task', [kind, upstreamId]);
  const known = ['a', 'b'].map((id) => idOf('SONG', id));
  const list = 'query ($ids: [ID!]!) { tasks(ids: $ids) { id status progress rawStatus } }';
  const aliases =
    'query ($a: ID!, $b: ID!) { a: task(id: $a) { ...F } b: task(id: $b) { ...F } } fragment F on Task { id kind status isTerminal raw }';
  let app: Awaited<ReturnType<typeof startApp>>;
  let requests: readonly string[];
  const log: Readonly<Record<string, unknown>>[] = [];
  beforeEach(async () => {
    log.splice(0);
    const gateway = await startFakeGateway((request, response) => {
      const isKnown = request.url === '/music/fetch';
      const data = ['a', 'b'].map((id) => ({ task_id: id, status: 'IN_PROGRESS', progress: '10%' }));
      sendJson(response, isKnown ? { data } : { error: { message: 'refused' } }, isKnown ? 200 : 400);
    });
    ({ requests } = gateway);
    app = await startApp({ gatewayUrl: gateway.url, onLog: (line) => void log.push(line) });
    onTestFinished(() => app[Symbol.asyncDispose]());
  });

  test.each<[string, object, number]>([
    ['a list', { query: list, variables: { ids: known } }, 1],
    ['aliases', { query: aliases, variables: { a: known[0], b: known[1] } }, 1],
    ['one id twice', { query: aliases, variables: { a: known[0], b: known[0] } }, 1],
    ['an empty list', { query: list, variables: { ids: [] } }, 0],
    ['unknown tasks', { query: list, variables: { ids: ['x', known[0], idOf('SONG', 'x')] } }, 1],
    ['a read that fails', { query: list, variables: { ids: [known[0], idOf('QUEUED_IMAGE', 'x')] } }, 2],
    ['too many ids', { query: list, variables: { ids: Array.from({ length: 101 }, () => 'x') } }, 0],
    ['a single id in place of a list', { query: list, variables: { ids: known[0] } }, 1],
    ['an id of another type', { query: list, variables: { ids: [1, known[0]] } }, 1],
    ['a missing id', { query: list }, 0],
    [
      'a promise below the root',
      {
        query: 'query ($ids: [ID!]!) { tasks(ids: $ids) { status generation { id } } }',
        variables: { ids: known },
      },
      1,
    ],
  ])('with %s has the same reply each time, after the same reads', async (_what, body, reads) => {
    const reply = await exchangeBytes(app, toBytes('/graphql?yoga', { headers: sandboxKey, body }));
    expect(requests).toHaveLength(reads);
    for (let use = 1; use <= 5; use += 1) {
      expect([use, await exchangeBytes(app, toBytes('/graphql', { headers: sandboxKey, body }))]).toEqual([
        use,
        reply,
      ]);
      expect(requests).toHaveLength((use + 1) * reads);
    }
  });

  test('is finished by graphql-js only if its compiled form cannot write the answer', async () => {
    const withGeneration = 'query ($ids: [ID!]!) { tasks(ids: $ids) { generation { id } } }';
    for (const [query, fallbacks] of [
      [list, 0],
      [withGeneration, 3],
    ] as const) {
      const body = { query, variables: { ids: known } };
      for (let use = 1; use <= 5; use += 1)
        await exchangeBytes(app, toBytes('/graphql', { headers: sandboxKey, body }));
      expect(log.filter(({ msg }) => msg === 'graphql-js finished a compiled query')).toHaveLength(fallbacks);
    }
  });

  test('needs a credential', async () => {
    const body = { query: list, variables: { ids: known } };
    for (let use = 1; use <= 4; use += 1)
      expect(await exchangeBytes(app, toBytes('/graphql', { body, headers: {} }))).toContain(
        'UNAUTHENTICATED',
      );
  });
});

describe('a compiled query', () => {
  const calls: string[] = [];
  const item = new GraphQLObjectType({
    name: 'Item',
    fields: {
      name: { type: new GraphQLNonNull(GraphQLString) },
      later: { type: GraphQLString, resolve: () => Promise.resolve('later') },
    },
  });
  const schema = limitAnswers(
    new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: {
          item: {
            type: item,
            args: { size: { type: GraphQLInt, defaultValue: 1 } },
            resolve(_root, { size }: { size: number }, _context, info) {
              calls.push(
                `${info.path.key}(${size}) of ${info.parentType.name}, ${Object.keys(info.variableValues).join()}`,
              );
              return Promise.resolve({ name: size > 0 ? 'a'.repeat(size) : null });
            },
          },
          items: {
            type: new GraphQLList(item),
            resolve: () => [Promise.resolve({ name: 'a' }), { name: 'b' }],
          },
        },
      }),
    }),
  );
  const lines: object[] = [];
  const toContext = (): Context => {
    const log = { debug: (facts: object) => void lines.push(facts) };
    const engine = { maxAnswerBytes: 1000, log };
    // The parts of a context that these resolvers and the budget need.
    return { engine, requestId: 'one', budget: new AnswerBudget(1000) } as unknown as Context;
  };
  async function run(
    queries: ReturnType<typeof createCompiledQueries>,
    document: ReturnType<typeof parse>,
    variableValues = {},
  ) {
    const contextValue = toContext();
    const answer = await queries.run({ document, contextValue, variableValues });
    const rootValues = typeof answer === 'string' ? undefined : answer;
    const executed = await execute({
      schema,
      document,
      contextValue: { ...contextValue, rootValues },
      variableValues,
    });
    return { answer, executed };
  }

  test('writes the text of graphql-js from its second use, also with other variables', async () => {
    const queries = createCompiledQueries(schema);
    const document = parse(
      'query ($n: Int) { item(size: $n) { name } b: item { name } items { __typename name } }',
    );
    expect((await run(queries, document)).answer).toBeUndefined();
    for (const variables of [{}, { n: 2 }, { n: 3 }]) {
      const { answer, executed } = await run(queries, document, variables);
      expect(answer).toBe(JSON.stringify(executed));
    }
    expect(calls.slice(-2)).toEqual(['item(3) of Query, n', 'b(1) of Query, n']);
  });

  test.each([
    ['a promise', '{ item { name later } }', {}],
    ['null in a non-null place', 'query ($n: Int) { item(size: $n) { name } }', { n: 0 }],
    ['no room', 'query ($n: Int) { item(size: $n) { name } }', { n: 2000 }],
  ])('leaves %s to graphql-js, which uses the values of the root fields', async (_what, query, variables) => {
    const queries = createCompiledQueries(schema);
    const document = parse(query);
    await run(queries, document, variables);
    for (let use = 2; use <= 4; use += 1) {
      calls.splice(0);
      const { answer, executed } = await run(queries, document, variables);
      expect([typeof answer, calls.length]).toEqual(['object', 1]);
      expect(executed).toEqual(
        await execute({ schema, document, contextValue: toContext(), variableValues: variables }),
      );
    }
    expect(lines.at(-1)).toEqual({ requestId: 'one', fallbacks: 3 });
    expect((await run(queries, document, variables)).answer).toBeUndefined();
  });
});
