import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocumentNode, getIntrospectionQuery, type GraphQLFormattedError, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/config.ts';
import * as documents from '../../../src/client/documents.generated.ts';
import { loadTrustedDocuments } from '../../../src/server/operation/trusted-documents.ts';
import { sandboxKey, startApp } from '../../support/app.ts';
import { ask } from '../../support/chats.ts';
import { openEventStream, postJson, sendRequest, toArray } from '../../support/http.ts';
import { exchangeBytes, toBytes } from '../../support/raw-http.ts';

const { documentIds } = documents;
const shipped = 'src/client/trusted-documents.json';
const directory = mkdtempSync(join(tmpdir(), 'trusted-documents-'));
const variables = { first: 2 };

function writeManifest(name: string, content: unknown): string {
  const file = join(directory, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

type TestServer = Awaited<ReturnType<typeof startApp>>;

async function overSocket(
  app: TestServer,
  payload: Readonly<Record<string, unknown>> & { readonly query: string },
): Promise<unknown> {
  const results: unknown[] = [];
  try {
    for await (const result of app.wsClient().iterate(payload)) results.push(result);
  } catch (error) {
    return { errors: error };
  }
  return results.length === 1 ? results[0] : results;
}

function codesOf(answer: unknown): readonly unknown[] {
  const { errors = [] } = answer as { readonly errors?: readonly GraphQLFormattedError[] };
  return errors.map(({ extensions }) => extensions?.['code']);
}

test('every typed document of the client has an id, and the manifest has its printed text', () => {
  const manifest = JSON.parse(readFileSync(shipped, 'utf8')) as Record<string, string>;
  const typed = Object.entries(documents).flatMap(([name, document]) =>
    name.endsWith('Document') ? [[name.replace(/Document$/, ''), document as DocumentNode] as const] : [],
  );
  expect(typed.length).toBeGreaterThan(40);
  const ids: Readonly<Record<string, string>> = documentIds;
  expect(Object.keys(ids)).toHaveLength(typed.length);
  for (const [name, document] of typed) {
    expect(ids[name]).toBe(`sha256:${hash('sha256', print(document))}`);
    expect(manifest[ids[name] ?? '']).toBe(print(document));
  }
});

describe('TRUSTED_DOCUMENTS=allow', () => {
  let app: TestServer;
  const own = writeManifest('own.json', { 'my-document': '{ kind: __typename }' });
  const apollo = writeManifest('apollo.json', {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: 'a'.repeat(64), name: 'A', type: 'query', body: 'query A { __typename }' }],
  });
  beforeAll(async () => {
    app = await startApp({
      env: {
        TRUSTED_DOCUMENTS: 'allow',
        TRUSTED_DOCUMENTS_FILES: `${shipped}, ${own}, ${apollo}`,
        GRAPHIQL: 'off',
      },
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('a document id gives the answer of its document, on every transport', async () => {
    const documentId = documentIds.Voices;
    const query = print(documents.VoicesDocument);
    const { json } = await postJson(app.url, { query, variables }, sandboxKey);
    expect(json.data).toHaveProperty('voices');
    for (const body of [
      { documentId, variables },
      { documentId, query: '', variables },
      { extensions: { documentId }, query: '', variables },
      { extensions: { documentId }, variables },
      { extensions: { documentId }, documentId, variables },
    ])
      expect(await postJson(app.url, body, sandboxKey)).toMatchObject({ status: 200, json });
    const search = new URLSearchParams({ documentId, variables: JSON.stringify(variables) });
    expect((await sendRequest(`${app.url}?${search}`, { headers: sandboxKey })).json).toEqual(json);
    const inExtensions = new URLSearchParams({
      extensions: JSON.stringify({ documentId }),
      variables: JSON.stringify(variables),
    });
    expect((await sendRequest(`${app.url}?${inExtensions}`, { headers: sandboxKey })).json).toEqual(json);
    // The address of a browser.
    const headers = { ...sandboxKey, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const address of [search, inExtensions])
      expect((await sendRequest(`${app.url}?${address}`, { headers })).json).toEqual(json);
    for (const named of [{ documentId }, { extensions: { documentId } }]) {
      const { events } = await openEventStream(app.url, { ...named, variables }, { headers: sandboxKey });
      expect(JSON.parse((await toArray(events))[0]?.data ?? '')).toEqual(json);
    }
    expect(await overSocket(app, { query: '', extensions: { documentId }, variables })).toEqual(json);
    expect(await overSocket(app, { query: '', documentId, variables })).toEqual(json);
  });

  test('a subscription by document id streams a chat with one request to the gateway', async () => {
    const before = app.sandbox.activity.count();
    const results = await overSocket(app, {
      query: '',
      extensions: { documentId: documentIds.StreamChat },
      variables: { input: ask('Hello'), idempotencyKey: 'by-id' },
    });
    const events = results as readonly unknown[];
    expect(events[0]).toMatchObject({ data: { streamChat: { __typename: 'ChatSnapshot' } } });
    expect(events.at(-1)).toMatchObject({ data: { streamChat: { __typename: 'ChatCompleted' } } });
    expect(app.sandbox.activity.count()).toBe(before + 1);
  });

  test('the ids of all files work, and the hash of each document', async () => {
    for (const documentId of ['my-document', `sha256:${hash('sha256', '{ kind: __typename }')}`])
      expect((await postJson(app.url, { documentId })).json).toEqual({ data: { kind: 'Query' } });
    expect((await postJson(app.url, { documentId: 'a'.repeat(64) })).json.data).toBeDefined();
  });

  test('documents still run, and a mutation by id is rejected over GET', async () => {
    expect((await postJson(app.url, { query: '{ __typename }' })).json.data).toBeDefined();
    const search = new URLSearchParams({ documentId: documentIds.StartChat });
    const reply = await sendRequest(`${app.url}?${search}`, { headers: sandboxKey });
    expect(reply.status).toBe(405);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown id', { documentId: `sha256:${'0'.repeat(64)}` }, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['a name of Object.prototype', { documentId: '__proto__' }, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['an id that is a number', { documentId: 7, query: '' }, 'BAD_REQUEST'],
    ['an id that is a list', { documentId: ['my-document'], query: '' }, 'BAD_REQUEST'],
    [
      'two different ids',
      { documentId: 'my-document', extensions: { documentId: 'a'.repeat(64) }, query: '' },
      'BAD_REQUEST',
    ],
    ['an id and a document', { documentId: 'my-document', query: '{ __typename }' }, 'BAD_REQUEST'],
  ])('%s is refused alike over HTTP, Yoga and WebSocket', async (_what, body, code) => {
    const request = { headers: { accept: 'application/graphql-response+json' }, body };
    const reply = await exchangeBytes(app, toBytes('/graphql', request));
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain(`"code":"${code}"`);
    expect(await exchangeBytes(app, toBytes('/graphql?yoga', request))).toBe(reply);
    const payload = { query: '', ...body };
    expect(codesOf(await overSocket(app, payload))).toEqual([code]);
  });

  test('two different ids in a URL are refused', async () => {
    const get = async (search: string): Promise<unknown> =>
      (await sendRequest(`${app.url}?${search}`, { headers: sandboxKey })).json;
    expect(await get('documentId=my-document&documentId=my-document')).toEqual({ data: { kind: 'Query' } });
    const extensions = encodeURIComponent(JSON.stringify({ documentId: 'a'.repeat(64) }));
    for (const other of [`documentId=${'a'.repeat(64)}`, `extensions=${extensions}`])
      expect(codesOf(await get(`documentId=my-document&${other}`))).toEqual(['BAD_REQUEST']);
  });

  test('both ways over HTTP give the same bytes for an id', async () => {
    const request = { headers: sandboxKey, body: { documentId: documentIds.Voices, variables } };
    const reply = await exchangeBytes(app, toBytes('/graphql', request));
    expect(reply).toContain('{"data":{"voices":');
    expect(await exchangeBytes(app, toBytes('/graphql?yoga', request))).toBe(reply);
  });
});

describe('TRUSTED_DOCUMENTS=only', () => {
  let app: TestServer;
  beforeAll(async () => {
    app = await startApp({ env: { TRUSTED_DOCUMENTS: 'only' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('runs the documents of the client by id', async () => {
    const body = { documentId: documentIds.Voices, variables };
    expect((await postJson(app.url, body, sandboxKey)).json.data).toHaveProperty('voices');
  });

  test('runs the text of a trusted document, on every transport', async () => {
    const query = print(documents.VoicesDocument);
    expect((await postJson(app.url, { query, variables }, sandboxKey)).json.data).toHaveProperty('voices');
    const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    const got = await sendRequest(`${app.url}?${search}`, { headers: sandboxKey });
    expect(got.json).toHaveProperty('data.voices');
    expect(await overSocket(app, { query, variables })).toHaveProperty('data.voices');
  });

  test.each<[string, string]>([
    ['introspection', getIntrospectionQuery()],
    ['a trusted document with one more space', `${print(documents.VoicesDocument)} `],
    ['a document with a syntax error', '{'],
    ['a large document', `{ ${'a '.repeat(20_000)} }`],
    ['an empty document', ''],
  ])('refuses %s before it is parsed, on every transport', async (_what, query) => {
    const expected = ['PERSISTED_DOCUMENT_ID_REQUIRED'];
    expect(codesOf((await postJson(app.url, { query, variables }, sandboxKey)).json)).toEqual(expected);
    const search = new URLSearchParams({ query: query.slice(0, 5000) });
    const got = await sendRequest(`${app.url}?${search}`, { headers: sandboxKey });
    expect(codesOf(got.json)).toEqual(query === '' ? ['BAD_REQUEST'] : expected);
    expect(codesOf(await overSocket(app, { query, variables }))).toEqual(expected);
  });

  test('a create that is refused is not sent', async () => {
    const before = app.sandbox.activity.count();
    const query = `${print(documents.StartChatDocument)} `;
    const reply = await postJson(app.url, { query, variables: { input: ask('Hello') } }, sandboxKey);
    expect(codesOf(reply.json)).toEqual(['PERSISTED_DOCUMENT_ID_REQUIRED']);
    expect(app.sandbox.activity.count()).toBe(before);
  });
});

test('a server without trusted documents refuses an id and says so', async () => {
  await using app = await startApp();
  const { json } = await postJson(app.url, { documentId: documentIds.Voices });
  expect(codesOf(json)).toEqual(['BAD_REQUEST']);
  expect(JSON.stringify(json)).toContain('accepts no documentId');
  expect(codesOf((await postJson(app.url, { extensions: { documentId: 'x' } })).json)).toEqual([
    'BAD_REQUEST',
  ]);
  // Clients may send members of other servers.
  const ignored = { query: '{ __typename }', extensions: { documentId: 'x' } };
  expect((await postJson(app.url, ignored)).json).toEqual({ data: { __typename: 'Query' } });
});

test.each<[string, unknown, RegExp]>([
  ['is missing', undefined, /Cannot read the manifest .*ENOENT/],
  ['is not JSON', '{', /Cannot read the manifest/],
  ['is a list', ['{ a }'], /at its root: .*Expected an object/],
  ['has a document that is no text', { a: 7 }, /at a: /],
  [
    'has a wrong hash',
    { [`sha256:${'0'.repeat(64)}`]: '{ a }' },
    /the document of sha256:0+ has the id sha256:/,
  ],
  [
    'is of Apollo without bodies',
    { format: 'apollo-persisted-query-manifest', version: 1, operations: [{ id: 'a' }] },
    /at operations\.0\.body/,
  ],
  [
    'is of Apollo with two documents for one id',
    {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [
        { id: 'a', body: '{ a }' },
        { id: 'a', body: '{ b }' },
      ],
    },
    /Apollo.*\.json: a is already the id of another document$/,
  ],
  [
    'has a document with a syntax error',
    { a: '{ a }', b: '{\n  a(' },
    /the document of b cannot be parsed at 2:5: Syntax Error: Expected Name, found <EOF>/,
  ],
  ['has only a fragment', { a: 'fragment A on Query { voices }' }, /the document of a has no operation/],
  ['has a type', { a: '{ a }', b: 'type A { b: Int }' }, /the document of b has no operation/],
  [
    'has two documents for one id',
    `{ "b": ${JSON.stringify('{ a(b: "\\\\\\"") }')}, "a": "{ a }", "\\u0061": "{ b }" }`,
    /: a is already the id of another document$/,
  ],
  ['has a document and a number for one id', '{ "a": 7, "a": "{ a }" }', /: a is already the id of another/],
  ['is empty', {}, /is empty\.json in TRUSTED_DOCUMENTS_FILES: it has no documents$/],
  [
    'is of Apollo and empty',
    { format: 'apollo-persisted-query-manifest', version: 1, operations: [] },
    /it has no documents$/,
  ],
])('a manifest that %s ends the start with its name', (name, content, message) => {
  const file =
    content === undefined ? join(directory, 'missing.json') : writeManifest(`${name}.json`, content);
  const load = (): unknown => loadTrustedDocuments('allow', [file]);
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(message);
});

test('a manifest may begin with a byte order mark, and repeat an id with the same document', async () => {
  const texts = ['{ quoted: __type(name: "\\\\\\"") { name } }', '{ kind: __typename }'].map((text) =>
    JSON.stringify(text),
  );
  const members = [`"a": ${texts[0]}`, `"b": ${texts[1]}`, `"\\u0062": ${texts[1]}`];
  const file = writeManifest('marked.json', `\uFEFF{ ${members.join(', ')} }`);
  await using app = await startApp({ env: { TRUSTED_DOCUMENTS: 'only', TRUSTED_DOCUMENTS_FILES: file } });
  for (const [documentId, data] of [
    ['a', { quoted: null }],
    ['b', { kind: 'Query' }],
  ])
    expect((await postJson(app.url, { documentId }, sandboxKey)).json).toEqual({ data });
});

test.each([
  [
    'without an operation',
    '{ "a": "fragment A on Query { __typename }" }',
    /the document of a has no operation/,
  ],
  [
    'with two documents for one id',
    '{ "a": "{ a }", "a": "{ b }" }',
    /a is already the id of another document/,
  ],
])('a server does not start with a manifest %s', async (what, content, message) => {
  const file = writeManifest(`${what}.json`, content);
  await expect(
    startApp({ env: { TRUSTED_DOCUMENTS: 'only', TRUSTED_DOCUMENTS_FILES: file } }),
  ).rejects.toThrow(message);
});

test('two manifests with different documents for one id end the start', () => {
  const files = [writeManifest('one.json', { a: '{ a }' }), writeManifest('other.json', { a: '{ b }' })];
  expect(() => loadTrustedDocuments('only', files)).toThrow(/other\.json: a is already the id of another/);
});
