import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ApolloClient, HttpLink } from '@apollo/client';
import { Client as UrqlClient, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { createClient } from 'graphql-sse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApolloCache } from '../../src/client/apollo/index.ts';
import { GenerationsDocument } from '../../src/client/documents.generated.ts';
import { createGengraph } from '../../src/client/gengraph.ts';
import { chatRoute, documentTexts, tokenRoute } from '../../src/client/server/index.ts';
import { graphcacheOptions } from '../../src/client/urql/index.ts';
import { bundlePage } from '../frontends/support/bundle-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { postJson } from '../support/http.ts';
import { audience, issuer, secret, signInBySecret } from '../support/sign-in.ts';

/** Serves a route as a framework does. The page's session is its cookie. */
async function serve(route: (request: Request) => Promise<Response>): Promise<string> {
  const listener = getRequestListener(route, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return `http://127.0.0.1:${port}/api/chat`;
}

function userOf(request: Request): string | undefined {
  const [, user] = /session=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? [];
  return user === undefined ? undefined : decodeURIComponent(user);
}

function as(user: string): Readonly<Record<string, string>> {
  return { cookie: `session=${encodeURIComponent(user)}` };
}

const chats = { query: '{ generations(first: 5) { edges { node { prompt } } } }' };
const noChats = { data: { generations: { edges: [] } } };

/** Chats as this user, over server-sent events. @returns the text */
async function chat(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const client = createClient({ url, headers: { ...headers }, retryAttempts: 0 });
  onTestFinished(() => client.dispose());
  const events = client.iterate<{ streamChat: { soFar: { choices: { message: { content: string } }[] } } }>({
    query: documentTexts.StreamChat,
    variables: { input: ask('say exactly: Hello from the gateway'), idempotencyKey: 'k' },
  });
  let text = '';
  for await (const { data, errors } of events) {
    expect(errors).toBeUndefined();
    text = data?.streamChat.soFar.choices[0]?.message.content ?? text;
  }
  return text;
}

function keysAtGateway(app: TestApp): readonly unknown[] {
  return app.sandbox.activity.requests().map(({ headers }) => headers['authorization']);
}

describe('chatRoute with the key of the gateway', () => {
  test('streams chats to a page that has no key, and keeps its users apart', async () => {
    await using app = await startApp();
    const url = await serve(chatRoute({ url: app.url, key: 'sk-sandbox', userOf }));
    const forged = { authorization: 'Bearer sk-mine', 'x-end-user': 'Zoë', 'new-api-user': '1' };
    for (const user of ['ann', 'Zoë 🦊'])
      expect(await chat(url, { ...as(user), ...forged })).toBe('Hello from the gateway');
    expect(keysAtGateway(app)).toEqual(['Bearer sk-sandbox', 'Bearer sk-sandbox']);
    for (const user of ['ann', 'Zoë 🦊']) {
      const { json } = await postJson(url, chats, { ...as(user), ...forged });
      expect(json).toMatchObject({ data: { generations: { edges: [{ node: {} }] } } });
    }
    expect((await postJson(url, chats, { ...as('Zoë'), ...forged })).json).toEqual(noChats);
  });

  test.each([
    ['nobody', {}],
    ['an empty name', as('')],
    ['a space at an end', as('ann ')],
    ['a line break', as('a\nb')],
  ])('refuses %s and forwards nothing', async (_who, headers) => {
    let forwarded = 0;
    const fetch = async (): Promise<Response> => Response.json({ forwarded: (forwarded += 1) });
    const url = await serve(chatRoute({ url: 'http://127.0.0.1:1', key: 'sk-sandbox', userOf, fetch }));
    const { status, json } = await postJson(url, chats, headers);
    expect([status, json]).toMatchObject([401, { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }]);
    expect(forwarded).toBe(0);
  });

  test.each([
    ['another method', 405, { method: 'GET' }],
    [
      'a form, which pages of other origins can send',
      415,
      { method: 'POST', body: 'query={__typename}', headers: {} },
    ],
    ['a long body', 413, { method: 'POST', body: JSON.stringify({ query: 'a'.repeat(1001) }) }],
    ['a batch', 400, { method: 'POST', body: '[{"query":"{ __typename }"}]' }],
    ['no JSON', 400, { method: 'POST', body: '{' }],
  ])('refuses %s', async (_what, status, init) => {
    const url = await serve(
      chatRoute({ url: 'http://127.0.0.1:1', key: 'sk-sandbox', userOf: () => 'ann', maxBodyBytes: 1000 }),
    );
    const reply = await fetch(url, { headers: { 'content-type': 'application/json' }, ...init });
    // As the Gengraph server answers them.
    const extensions = { code: status === 413 ? 'LIMIT_EXCEEDED' : 'BAD_REQUEST', retry: 'FIX_INPUT' };
    expect([reply.status, await reply.json()]).toMatchObject([status, { errors: [{ extensions }] }]);
  });

  test('forwards only the documents of the package, if asked', async () => {
    await using app = await startApp();
    const url = await serve(
      chatRoute({ url: app.url, key: 'sk-sandbox', userOf: () => 'ann', documents: 'shipped' }),
    );
    const refused = await postJson(url, chats, {});
    expect([refused.status, refused.json]).toMatchObject([
      403,
      { errors: [{ extensions: { code: 'FORBIDDEN', retry: 'FIX_INPUT' } }] },
    ]);
    const body = { query: documentTexts.Voices, variables: { first: 2 } };
    expect((await postJson(url, body, {})).json).toHaveProperty('data.voices');
    expect((await postJson(url, { ...chats, extensions: { documentId: 'a' } }, {})).status).toBe(403);
  });

  test('forwards the documents of the package as Apollo Client and urql send them', async () => {
    await using app = await startApp();
    const url = await serve(
      chatRoute({ url: app.url, key: 'sk-sandbox', userOf: () => 'ann', documents: 'shipped' }),
    );
    const apollo = new ApolloClient({ link: new HttpLink({ uri: url }), cache: createApolloCache() });
    onTestFinished(() => apollo.stop());
    expect((await apollo.query({ query: GenerationsDocument })).data).toMatchObject(noChats.data);
    const exchanges = [cacheExchange(graphcacheOptions), fetchExchange];
    const urql = new UrqlClient({ url, exchanges, preferGetMethod: false });
    const { data, error } = await urql.query(GenerationsDocument, {}).toPromise();
    expect([data, error]).toMatchObject([noChats.data, undefined]);
  });

  test('says what to do when the Gengraph server is away', async () => {
    const url = await serve(chatRoute({ url: 'http://127.0.0.1:1', key: 'sk-sandbox', userOf: () => 'ann' }));
    const { status, json } = await postJson(url, chats, {});
    expect([status, json]).toMatchObject([
      502,
      { errors: [{ extensions: { code: 'CONNECTION_FAILED', retry: 'SAME_KEY' } }] },
    ]);
  });
});

test('tokenRoute gives a page tokens of its user: for a WebSocket of its own, and for chatRoute', async () => {
  await using app = await startApp({ env: signInBySecret });
  const tokens = tokenRoute({ secret, issuer, audience, userOf, lifeSeconds: 60 });
  const tokenUrl = await serve(tokens);
  const fetchToken = async (user: string): Promise<string> =>
    (await fetch(tokenUrl, { method: 'POST', headers: as(user) })).text();
  const gengraph = createGengraph({ url: app.url, credential: () => fetchToken('ann') });
  onTestFinished(() => gengraph.dispose());
  let last;
  for await (const view of gengraph.chat(ask('Hello'))) last = view;
  expect(last).toMatchObject({ status: 'completed', error: null });

  const url = await serve(chatRoute({ url: app.url, key: fetchToken, userOf }));
  expect((await postJson(url, chats, as('ann'))).json).toMatchObject({
    data: { generations: { edges: [{}] } },
  });
  expect((await postJson(url, chats, as('bob'))).json).toEqual(noChats);
  expect((await fetch(tokenUrl, { method: 'POST' })).status).toBe(401);
});

test('the example of server rendering reads the list of its user, and throws the error of another', async () => {
  await using app = await startApp();
  await app.run('mutation ($input: ChatInput!) { startChat(input: $input) { __typename } }', {
    input: ask('Hello'),
  });
  const code = await bundlePage('examples/server/first-page.ts');
  const { loadFirstPage } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    loadFirstPage(url: string, token: string): Promise<unknown>;
  };
  expect(await loadFirstPage(app.url, 'sk-sandbox')).toMatchObject({
    edges: [{ node: { prompt: 'Hello' } }],
  });
  await expect(loadFirstPage(app.url, '')).rejects.toThrow(/^The list could not be read: \w/);
});
