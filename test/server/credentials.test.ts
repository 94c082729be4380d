import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../support/api-schema.ts';
import { startApp, systemToken } from '../support/app.ts';
import { codeOf, postJson, sendRequest } from '../support/http.ts';
import { openRawSocket, type RawSocketOptions } from '../support/raw-socket.ts';
import { publicFields, rootFieldOperations } from '../support/root-fields.ts';

const voices = '{ voices(first: 1) { edges { cursor } } }';
let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A new end user per call, so that no read is served from the cache. */
let callers = 0;
function newEndUser(): Readonly<Record<string, string>> {
  callers += 1;
  return { 'x-end-user': `caller-${callers}` };
}

/** The credential that the gateway received with the latest read. */
function sentCredential(): string | undefined {
  return app.sandbox.activity.requests('/videoa/v1/general/presets-voices').at(-1)?.headers['authorization'];
}

interface SocketCaller {
  readonly options?: RawSocketOptions;
  readonly params?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The result or the errors of an operation over a WebSocket. */
async function overSocket(query: string, caller: SocketCaller): Promise<Record<string, unknown>> {
  const { options = {}, params = null, extensions } = caller;
  const socket = await openRawSocket(app.url, options);
  await socket.init(params);
  socket.subscribe('a', { query, ...(extensions && { extensions }) });
  const { type, payload } = await socket.waitForMessage('a');
  socket.terminate();
  return type === 'error' ? { errors: payload } : (payload as Record<string, unknown>); // By the graphql-ws protocol.
}

const spellings = [
  'Bearer sk-sandbox',
  'bearer sk-sandbox',
  'BEARER  sk-sandbox',
  'sk-sandbox',
  ' sk-sandbox ',
];

describe('a credential is accepted', () => {
  test.each(spellings)('in the Authorization header as "%s"', async (authorization) => {
    const reply = await postJson(app.url, { query: voices }, { authorization, ...newEndUser() });
    expect(reply.json.errors).toBeUndefined();
    expect(sentCredential()).toBe('Bearer sk-sandbox');
  });

  test.each(
    ['authorization', 'Authorization', 'AUTHORIZATION', 'token', 'Token'].flatMap((name) =>
      spellings.map((value) => [name, value] as const),
    ),
  )('in connectionParams as %s: "%s"', async (name, value) => {
    const result = await overSocket(voices, { params: { [name]: value, ...newEndUser() } });
    expect(result['errors']).toBeUndefined();
    expect(sentCredential()).toBe('Bearer sk-sandbox');
  });

  test('in the headers of a WebSocket handshake', async () => {
    const headers = { authorization: 'Bearer sk-sandbox', ...newEndUser() };
    expect((await overSocket(voices, { options: { headers } }))['errors']).toBeUndefined();
  });

  test('in the headers that an editor sends with the operation', async () => {
    const headers = { Authorization: 'Bearer sk-sandbox', ...newEndUser() };
    expect((await overSocket(voices, { extensions: { headers } }))['errors']).toBeUndefined();
  });

  test('with precedence of editor headers over connectionParams', async () => {
    const right = { authorization: 'sk-sandbox', ...newEndUser() };
    const nearest = { params: { token: 'sk-wrong' }, extensions: { headers: right } };
    expect((await overSocket(voices, nearest))['errors']).toBeUndefined();
    expect(sentCredential()).toBe('Bearer sk-sandbox');
  });
});

describe('an invalid credential counts as missing', () => {
  test.each(['', 'Bearer', 'bearer   ', '\t'])('as a header: "%s"', async (authorization) => {
    expect(codeOf((await postJson(app.url, { query: voices }, { authorization })).json)).toBe(
      'UNAUTHENTICATED',
    );
  });

  test.each([
    ['null', null],
    ['a list', ['sk-sandbox']],
    ['an object', { key: 'sk-sandbox' }],
    ['text that is invalid as a header', 'sk-sand\r\nbox: 1'],
    ['characters that are invalid in a header', 'ключ'],
  ])('in connectionParams: %s', async (_what, authorization) => {
    const { errors } = await overSocket(voices, { params: { authorization } });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });
});

const schemes = [
  'Basic abc',
  'basic YWJjOmRlZg==',
  'Digest username="a", realm="b"',
  'ApiKey sk-sandbox',
  'sk-sandbox sk-sandbox',
];

describe('an authorization scheme other than Bearer', () => {
  test.each(schemes)('is rejected with an explanation and not forwarded: "%s"', async (value) => {
    const before = app.sandbox.activity.count();
    const errors = [
      {
        message: expect.stringMatching(
          /"Authorization: Bearer <API key>".*Schemes other than Bearer.*not supported/,
        ),
        extensions: { code: 'UNAUTHENTICATED' },
      },
    ];
    for (const query of [voices, `mutation { createAccessToken(input: ${tokenInput}) { __typename } }`]) {
      const headers = { authorization: value, 'new-api-user': '1' };
      expect((await postJson(app.url, { query }, headers)).json).toMatchObject({ errors });
      expect(await overSocket(query, { options: { headers } })).toMatchObject({ errors });
      expect(await overSocket(query, { params: headers })).toMatchObject({ errors });
    }
    expect(app.sandbox.activity.count()).toBe(before);
  });

  test('is overridden by a credential with higher precedence', async () => {
    const options = { headers: { authorization: 'Basic abc' } };
    const params = { token: 'sk-sandbox', ...newEndUser() };
    expect((await overSocket(voices, { options, params }))['errors']).toBeUndefined();
    expect(sentCredential()).toBe('Bearer sk-sandbox');
  });

  test('does not block operations that need no credential', async () => {
    const reply = await postJson(app.url, { query: '{ __typename }' }, { authorization: 'Basic abc' });
    expect(reply.json).toEqual({ data: { __typename: 'Query' } });
  });

  test('is not confused with a bare system token', async () => {
    const query = `mutation { createAccessToken(input: ${tokenInput}) { ${failure} } }`;
    const reply = await postJson(app.url, { query }, systemToken);
    expect(reply.json.data).toEqual({ createAccessToken: { __typename: 'CreatedAccessToken' } });
  });
});

const operations = rootFieldOperations(schema).filter(({ name }) => !publicFields.includes(name));
const unauthenticated = [{ extensions: { code: 'UNAUTHENTICATED' } }];

describe('without a credential', () => {
  test.each(operations)('$kind $name is UNAUTHENTICATED over every transport', async ({ kind, query }) => {
    const before = app.sandbox.activity.count();
    expect(await overSocket(query, {})).toMatchObject({ errors: unauthenticated });
    const streamed = await postJson(app.url, { query }, { accept: 'text/event-stream' });
    const data = /^data: (.+)$/m.exec(streamed.text)?.[1];
    expect(JSON.parse(data ?? '')).toMatchObject({ errors: unauthenticated });
    if (kind !== 'subscription') await expectUnauthenticatedByHttp(kind, query);
    expect(app.sandbox.activity.count()).toBe(before);
  });

  test.each(publicFields)('%s works', async (field) => {
    const { query } = rootFieldOperations(schema).find(({ name }) => name === field) ?? { query: '' };
    const reply = await postJson(app.url, { query });
    expect(reply.json).toEqual({ data: { [field]: expect.any(Object) } });
    expect(await overSocket(query, {})).toEqual(reply.json);
  });

  test.each(['nodes', 'tasks'])('%s with an empty list is also UNAUTHENTICATED', async (field) => {
    const reply = await postJson(app.url, { query: `{ ${field}(ids: []) { id } }` });
    expect(codeOf(reply.json)).toBe('UNAUTHENTICATED');
  });

  test('introspection works, over HTTP and over a WebSocket', async () => {
    const query = getIntrospectionQuery();
    const { data, errors } = (await postJson(app.url, { query })).json;
    expect(errors).toBeUndefined();
    expect(await overSocket(query, {})).toEqual({ data });
  });
});

async function expectUnauthenticatedByHttp(kind: string, query: string): Promise<void> {
  expect((await postJson(app.url, { query })).json).toMatchObject({ errors: unauthenticated });
  if (kind !== 'query') return;
  const search = new URLSearchParams({ query });
  expect((await sendRequest(`${app.url}?${search}`)).json).toMatchObject({ errors: unauthenticated });
}

const chatInput = '{model: "m", messages: [{role: USER, content: {text: "Hello"}}]}';
const tokenInput = '{name: "t", quota: {amount: 1}}';
const failure = '__typename ... on GengraphError { code }';

describe('with a credential that the gateway rejects', () => {
  const wrong = { authorization: 'Bearer sk-wrong' };

  test.each([
    ['startChat', `mutation { startChat(input: ${chatInput}) { ${failure} } }`, wrong],
    ['createChatCompletion', `mutation { createChatCompletion(input: ${chatInput}) { ${failure} } }`, wrong],
    [
      'createAccessToken',
      `mutation { createAccessToken(input: ${tokenInput}) { ${failure} } }`,
      { authorization: 'wrong', 'new-api-user': '1' },
    ],
    [
      'createAccessToken for another user',
      `mutation { createAccessToken(input: ${tokenInput}) { ${failure} } }`,
      { ...systemToken, 'new-api-user': '2' },
    ],
  ])('%s returns an AuthenticationError, over HTTP and over a WebSocket', async (_name, query, headers) => {
    const refusal = { __typename: 'AuthenticationError', code: 'AUTHENTICATION_FAILED' };
    const overHttp = await postJson(app.url, { query }, headers);
    expect(Object.values(overHttp.json.data ?? {})).toEqual([refusal]);
    const { data } = await overSocket(query, { params: headers });
    expect(Object.values(data ?? {})).toEqual([refusal]);
  });

  test('a chat fails with an AuthenticationError as its only event', async () => {
    const query = `subscription { streamChat(input: ${chatInput}, idempotencyKey: "k") {
      ... on ChatFailed { generationId sequence error { ${failure} } } } }`;
    const error = { __typename: 'AuthenticationError', code: 'AUTHENTICATION_FAILED' };
    const { data } = await overSocket(query, { params: wrong });
    expect(data).toEqual({ streamChat: { generationId: null, sequence: 0, error } });
  });

  test.each(['{ voices { edges { cursor } } }', '{ voice(id: "voice_WyJwcmVzZXQiLCJ4Il0") { id } }'])(
    '%s is AUTHENTICATION_FAILED',
    async (query) => {
      expect(codeOf((await postJson(app.url, { query }, wrong)).json)).toBe('AUTHENTICATION_FAILED');
      const { errors } = await overSocket(query, { params: wrong });
      expect(errors).toMatchObject([{ extensions: { code: 'AUTHENTICATION_FAILED' } }]);
    },
  );
});

test('createAccessToken without new-api-user is UNAUTHENTICATED, and nothing is sent', async () => {
  const query = `mutation { createAccessToken(input: ${tokenInput}) { ${failure} } }`;
  const before = app.sandbox.activity.count();
  const { authorization } = systemToken;
  expect(codeOf((await postJson(app.url, { query }, { authorization })).json)).toBe('UNAUTHENTICATED');
  expect(await overSocket(query, { params: { authorization } })).toMatchObject({ errors: unauthenticated });
  expect(app.sandbox.activity.count()).toBe(before);
});
