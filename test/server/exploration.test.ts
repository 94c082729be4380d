import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { announce } from '../../src/announce.ts';
import { loadConfig } from '../../src/config.ts';
import { explorationOf } from '../../src/exploration.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { codeOf, postJson } from '../support/http.ts';
import { readPage } from '../support/markdown.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const gateway = { GATEWAY_URL: 'http://gateway.example' };
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('GRAPHIQL and INTROSPECTION', () => {
  test.each<[Readonly<Record<string, string>>, boolean, boolean]>([
    [{}, true, true],
    [gateway, false, false],
    [{ ...gateway, GRAPHIQL: 'on' }, true, true],
    [{ ...gateway, INTROSPECTION: 'on' }, false, true],
    [{ ...gateway, GRAPHIQL: 'on', INTROSPECTION: 'off' }, true, false],
    [{ GRAPHIQL: 'off' }, false, true],
    [{ INTROSPECTION: 'off' }, true, false],
    [{ SANDBOX: 'on', NODE_ENV: 'production' }, true, true],
  ])('%j', (variables, hasGraphiQL, hasIntrospection) => {
    expect(explorationOf(loadConfig(variables))).toMatchObject({ hasGraphiQL, hasIntrospection });
  });
});

/** What standard error has after the start of a server on port 4000. */
function announced(variables: Readonly<Record<string, string>>): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const url = 'http://127.0.0.1:4000';
  const app = { url, gatewayUrl: url, sandbox: undefined, metricsUrl: undefined };
  announce(app, loadConfig(variables), 1);
  return String(write.mock.calls[0]?.[0]);
}

test.each<[Readonly<Record<string, string>>, string]>([
  [{}, 'on'],
  [{ INTROSPECTION: 'off' }, 'off'],
  [{ TRUSTED_DOCUMENTS: 'only' }, 'only in trusted documents (TRUSTED_DOCUMENTS=only)'],
  [{ TRUSTED_DOCUMENTS: 'only', INTROSPECTION: 'off' }, 'off'],
])('the start says of introspection with %j: %s', (variables, text) => {
  expect(announced(variables)).toContain(`  Introspection ${text}\n`);
});

test.each<[Readonly<Record<string, string>>, boolean]>([
  [{}, false],
  [{ CORS_ORIGINS: '*' }, false],
  [{ CORS_ORIGINS: 'https://app.example,http://127.0.0.1:4000' }, false],
  [{ CORS_ORIGINS: 'https://app.example', GRAPHIQL: 'off', PLAYGROUND: 'off' }, false],
  [{ CORS_ORIGINS: 'https://app.example' }, true],
  [{ CORS_ORIGINS: 'https://app.example', GRAPHIQL: 'off' }, true],
])('the start says if the pages of the server cannot open a WebSocket: %j', (variables, isRefused) => {
  const line = '  CORS_ORIGINS  lacks http://127.0.0.1:4000, so the pages there cannot open a WebSocket\n';
  expect(announced(variables).includes(line)).toBe(isRefused);
});

test.each<[Readonly<Record<string, string>>, boolean]>([
  [{}, true],
  [{ PLAYGROUND: 'off' }, false],
  [gateway, false],
  [{ ...gateway, PLAYGROUND: 'on' }, true],
])('PLAYGROUND: %j', (variables, hasPlayground) => {
  const playground = hasPlayground ? '/a-build' : undefined;
  expect(explorationOf(loadConfig(variables), '/a-build')).toMatchObject({ hasPlayground, playground });
});

describe('a server with a gateway, by default', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ env: { GRAPHIQL: '' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each([html, { accept: 'text/html' }])('tells browsers that it has no page: %j', async (headers) => {
    const reply = await fetch(app.url, { headers });
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toContain('application/json');
    expect(await reply.text()).toContain('GraphiQL is off on this server');
    expect((await fetch(app.url, { method: 'HEAD', headers })).status).toBe(404);
    expect((await fetch(new URL('/graphiql/any.js', app.url))).status).toBe(404);
  });

  test('still answers a query in the address that a browser opens', async () => {
    const reply = await fetch(`${app.url}?query={__typename}`, { headers: html });
    expect([reply.status, await reply.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
  });

  test.each([
    ['__schema', getIntrospectionQuery()],
    ['__type', '{ __type(name: "Query") { name } }'],
    ['__schema', '{ ... on Query { ...A } } fragment A on Query { a: __schema { description } }'],
  ])('refuses introspection of %s over every transport', async (field, query) => {
    const refused = { message: expect.stringContaining(`does not answer ${field}`) as string };
    const code = 'GRAPHQL_VALIDATION_FAILED';
    const { json } = await postJson(app.url, { query });
    expect([codeOf(json), json.errors]).toEqual([code, [expect.objectContaining(refused)]]);
    const events = await postJson(app.url, { query }, { accept: 'text/event-stream', ...sandboxKey });
    expect(events.text).toContain('INTROSPECTION=on');
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('a', query);
    expect(await socket.waitForMessage('a')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code } }],
    });
  });

  test('answers everything else: type names, and the SDL that routers compose with', async () => {
    const { json } = await postJson(
      app.url,
      { query: '{ __typename _service { sdl } voices(first: 1) { __typename } }' },
      sandboxKey,
    );
    expect(json.errors).toBeUndefined();
    expect(JSON.stringify(json.data)).toContain('type Query');
    const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Hello' } }] };
    const stream = 'subscription ($input: ChatInput!) { streamChat(input: $input) { __typename } }';
    const events: unknown[] = [];
    for await (const event of app.wsClient().iterate({ query: stream, variables: { input } }))
      events.push(event);
    expect(events.at(-1)).toEqual({ data: { streamChat: { __typename: 'ChatCompleted' } } });
  });
});

test('with INTROSPECTION=on, clients read the schema and no page is served', async () => {
  await using app = await startApp({ env: { GRAPHIQL: 'off', INTROSPECTION: 'on' } });
  const { json } = await postJson(app.url, { query: getIntrospectionQuery() });
  expect(json.errors).toBeUndefined();
  expect((await fetch(app.url, { headers: html })).status).toBe(404);
});

test('with TRUSTED_DOCUMENTS=only, the SDL for routers is refused, as the pages say', async () => {
  await using app = await startApp({ env: { TRUSTED_DOCUMENTS: 'only' } });
  const { json } = await postJson(app.url, { query: '{ _service { sdl } }' }, sandboxKey);
  expect(codeOf(json)).toBe('PERSISTED_DOCUMENT_ID_REQUIRED');
  const lines = ['operating', 'settings'].flatMap((name) => readPage(`docs/${name}.md`).split('\n'));
  const claims = lines.filter((line) => /`_service \{ sdl \}`.*(is|are) always answered/.test(line));
  expect(claims.length).toBe(2);
  expect(claims.filter((line) => !line.includes('always answered, except'))).toEqual([]);
});
