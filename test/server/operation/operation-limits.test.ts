import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../support/api-schema.ts';
import { createDocuments } from '../../../src/server/operation/documents.ts';
import { loadTrustedDocuments } from '../../../src/server/operation/trusted-documents.ts';
import { startApp } from '../../support/app.ts';
import { codeOf, postJson } from '../../support/http.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openRawSocket } from '../../support/raw-socket.ts';

const trusted = loadTrustedDocuments('off', []);

let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

function repeat(count: number, toText: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => toText(index)).join(' ');
}

/** A document of valid fields with this nesting depth. */
function nested(depth: number): string {
  const pairs = Math.floor((depth - 4) / 2);
  const inner = `${'task { generation { '.repeat(pairs)}id${' } }'.repeat(pairs)}`;
  return `{ generations { edges { node { ${depth % 2 === 0 ? inner : `task { id } ${inner}`} } } } }`;
}

/** Each fragment spreads the next one twice. */
function bomb(count: number, leaf: string): string {
  return `{ ...F0 } ${repeat(count, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F${count} on Query { ${leaf} }`;
}

const tooLarge: readonly (readonly [string, string, RegExp])[] = [
  ['nested fields', nested(22), /deeper than 20 fields/],
  ['nested fields in fragments', `{ ...A } fragment A on Query ${nested(22)}`, /deeper than 20/],
  [
    // The parser reaches the end of its stack or the limit of tokens first, depending on its optimization.
    'more depth than the parser stack allows',
    `${'{ a'.repeat(100_000)}${'}'.repeat(100_000)}`,
    /nested too deeply|tokens/,
  ],
  [
    'nested values',
    `{ node(id: ${'['.repeat(2400)}${']'.repeat(2400)}) { id } }`,
    /nested too deeply|tokens/,
  ],
  ['aliases', `{ ${repeat(251, (i) => `a${i}: __typename`)} }`, /more than 250 aliases/],
  [
    'aliases in fragments',
    `{ ...A ...B } fragment A on Query { ${repeat(126, (i) => `a${i}: __typename`)} } fragment B on Query { ${repeat(126, (i) => `b${i}: __typename`)} }`,
    /more than 250 aliases/,
  ],
  ['fields', `{ ${repeat(2001, () => '__typename')} }`, /more than 2000 fields/],
  ['repeated fields', `{ ${repeat(1999, () => '__typename')} }`, /repeats too many fields/],
  [
    'repeated lists',
    `{ ${repeat(300, () => 'generations { edges { node { id } } }')} }`,
    /repeats too many fields/,
  ],
  [
    'lists that fragments repeat',
    `{ ${repeat(235, (i) => `...F${i}`)} } ${repeat(235, (i) => `fragment F${i} on Query { generations { edges { node { id } } } }`)}`,
    /repeats too many fields/,
  ],
  [
    'repeated fields in an unused fragment',
    `{ __typename } fragment A on Query { ${repeat(4900, () => '__typename')} }`,
    /repeats too many fields/,
  ],
  ['tokens', `{ nodes(ids: [${repeat(5000, () => '1')}]) { id } }`, /more than 5000 tokens/],
  ['operations', repeat(1300, (i) => `query Q${i} { __typename }`), /more than 5000 tokens/],
  ['characters', `{ node(id: "${'x'.repeat(1_000_000)}") { id } }`, /more than 1000000 characters/],
  ['records', pages('first: 100'), /can return 25000 records, .* At most 10000 are allowed/],
  ['records from the end', pages('last: 100'), /can return 25000 records/],
  ['records of larger pages than allowed', pages('first: 1000000'), /can return 25000 records/],
  [
    'records with their tasks',
    `{ ${repeat(35, (i) => `a${i}: generations(first: 100) { edges { node { id task { id generation { id } } } } }`)} }`,
    /can return 10500 records/,
  ],
  [
    'records in fragments',
    `{ ${repeat(101, (i) => `a${i}: generations(first: 50) { ...A }`)} } fragment A on GenerationConnection { edges { ...B } } fragment B on GenerationEdge { node { id ... on Generation { task { id } } } }`,
    /can return 10100 records/,
  ],
  [
    'records by id',
    `{ ${repeat(101, (i) => `a${i}: nodes(ids: [${repeat(20, () => '"x"')}]) { ... on Task { generation { task { generation { task { id } } } } } }`)} }`,
    /can return 10100 records/,
  ],
  ['exponential fragments', bomb(40, '__typename'), /more than 2000 fields/],
  ['exponential aliases', bomb(8, 'a: __typename'), /more than 250 aliases/],
];

describe('an oversized operation', () => {
  test.each(tooLarge)(
    'is LIMIT_EXCEEDED within 1.5 s of processor time over every transport: %s',
    async (_by, query, message) => {
      const operationName = query.startsWith('query Q') ? 'Q0' : undefined;
      const before = process.cpuUsage();
      const overHttp = await postJson(app.url, { query, operationName });
      const { user, system } = process.cpuUsage(before);
      expect(codeOf(overHttp.json)).toBe('LIMIT_EXCEEDED');
      expect(overHttp.json.errors?.[0]?.message).toMatch(message);
      // The largest of these documents is a megabyte. None may block the server for long.
      expect((user + system) / 1000).toBeLessThan(1500);
      const overEvents = await postJson(app.url, { query, operationName }, { accept: 'text/event-stream' });
      expect(overEvents.text).toContain('"code":"LIMIT_EXCEEDED"');
      const socket = await openRawSocket(app.url);
      await socket.init();
      socket.subscribe('a', { query, ...(operationName && { operationName }) });
      expect(await socket.waitForMessage('a')).toEqual({
        id: 'a',
        type: 'error',
        payload: withAnyRequestId(overHttp.json.errors),
      });
      socket.subscribe('b', '{ __typename }');
      await socket.waitForEnd('b');
    },
  );

  test.each([
    ['a fragment that spreads itself', '{ ...A } fragment A on Query { __typename ...A }'],
    ['cyclic fragments', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['exponential cyclic fragments', bomb(60, '...F0')],
  ])('with %s is rejected', async (_by, query) => {
    const reply = await postJson(app.url, { query });
    expect(reply.json.errors?.[0]?.extensions?.['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('with cyclic introspection is rejected', async () => {
    const circle = `{ __schema { types { ${'fields { type { '.repeat(5)}name${' } }'.repeat(5)} } } }`;
    expect(codeOf((await postJson(app.url, { query: circle })).json)).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

/** 250 pages. */
function pages(size: string): string {
  return `{ ${repeat(250, (i) => `a${i}: generations(${size}) { edges { node { id } } }`)} }`;
}

test.each([
  ['in a list', Array.from({ length: 50_000 }, () => 'x')],
  ['in objects', Array.from({ length: 26_000 }, (_, index) => ({ index }))],
  ['in nested lists', Array.from({ length: 251 }, () => Array.from({ length: 200 }, () => null))],
])(
  'more than 50,000 values %s in the variables are LIMIT_EXCEEDED before they are read',
  async (_how, value) => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const variables = { ids: value };
    const message = 'The variables have more than 50000 values, inside of lists and objects included.';
    const { json } = await postJson(app.url, { query, variables });
    expect(json.errors).toMatchObject([{ message, extensions: { code: 'LIMIT_EXCEEDED' } }]);
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('a', { query, variables });
    expect(await socket.waitForMessage('a')).toMatchObject({ type: 'error', payload: [{ message }] });
  },
);

describe('the number of records', () => {
  const query = `query ($first: Int = 100, $ids: [ID!]!) { ${repeat(100, (i) => `a${i}: generations(first: $first) { edges { node { id } } } b${i}: nodes(ids: $ids) { id }`)} }`;

  test.each([
    ['a variable', { first: 101, ids: Array.from({ length: 1 }, () => 'x') }, 10_100],
    ['the default of a variable', { ids: ['x'] }, 10_100],
    ['the default page', { first: null, ids: Array.from({ length: 81 }, () => 'x') }, 10_100],
    ['a list of ids', { first: 1, ids: Array.from({ length: 200 }, () => 'x') }, 10_100],
  ])('counts %s', (_what, variables, count) => {
    const documents = createDocuments({
      schema,
      trusted,
      hasIntrospection: true,
      clock: createManualClock(),
    });
    const errors = documents.checkCost(documents.parse({ query }), { operationName: undefined, variables });
    expect(errors.map(({ message }) => message)).toEqual([
      `The operation can return ${count} records, counted from first, last, ids and representations. At most 10000 are allowed. Request smaller pages or split the operation.`,
    ]);
  });

  test('counts a field once that several fragments select', async () => {
    const fragments = repeat(20, (i) => `fragment F${i} on Generation { task { id kind } }`);
    const spreads = repeat(20, (i) => `...F${i}`);
    const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Generation { ${spreads} } } } ${fragments}`;
    const representations = Array.from({ length: 1000 }, () => ({ __typename: 'Generation', id: 'x' }));
    const { json } = await postJson(
      app.url,
      { query, variables: { representations } },
      { authorization: 'Bearer sk-sandbox' },
    );
    expect(json.errors).toBeUndefined();
  });
});

describe('an operation within the limits', () => {
  test.each([
    ['20 fields deep', nested(20)],
    ['with 250 aliases', `{ ${repeat(250, (i) => `a${i}: __typename`)} }`],
    ['with 900 different fields', `{ __schema { ${repeat(225, () => 'types { name kind description }')} } }`],
    [
      'with a page of everything',
      '{ generations(first: 100) { edges { node { id prompt input raw output { __typename } task { id raw generation { id } } } } } }',
    ],
    [
      'with 100 whole pages',
      `{ ${repeat(100, (i) => `a${i}: generations(first: 100) { edges { node { id } } }`)} }`,
    ],
    ['with a long value as variable', 'query ($id: ID!) { node(id: $id) { id } }'],
  ])('%s runs', async (_how, query) => {
    const variables = { id: 'x'.repeat(2_000_000) };
    const headers = { authorization: 'Bearer sk-sandbox' };
    const { errors } = (await postJson(app.url, { query, variables }, headers)).json;
    expect(errors).toBeUndefined();
  });
});

test('an error quotes only a short part of a document', async () => {
  const query = `{ ${'x'.repeat(900_000)} }`;
  const reply = await postJson(app.url, { query });
  expect(codeOf(reply.json)).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(reply.text.length).toBeLessThan(1000);
});

test('the document cache holds the latest 400,000 characters', () => {
  const documents = createDocuments({ schema, trusted, hasIntrospection: true, clock: createManualClock() });
  const toSource = (index: number): string => `{ f${index} ${repeat(1900, () => 'ab')} }`;
  const first = documents.parse({ query: toSource(0) });
  const isCached = (): boolean => documents.parse({ query: toSource(0) }) === first;
  expect(isCached()).toBe(true);
  const count = Math.ceil(400_000 / toSource(0).length);
  for (let index = 1; index <= count; index += 1) documents.parse({ query: toSource(index) });
  // A parsed document takes up to 170 bytes per character.
  expect(isCached()).toBe(false);
});

/** Each operation has its own request id. */
function withAnyRequestId(
  errors: readonly { readonly message: string; readonly extensions?: object }[] = [],
) {
  return errors.map(({ message, extensions, ...rest }) => ({
    ...rest,
    message,
    extensions: { ...extensions, requestId: expect.stringMatching(/^request_/) as string },
  }));
}
