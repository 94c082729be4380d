import { isUnionType } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  type ErrorCode,
  errorCodes,
  isErrorCode,
  type RetryAdvice,
  retryAdvice,
} from '../../src/error-codes.ts';
import { RecordsUnavailableError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { schema } from '../support/api-schema.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { ask, chatEvents, made, startChat, toEnd } from '../support/chats.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { postJson } from '../support/http.ts';
import { readPage, tableRows } from '../support/markdown.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const errorFields = `__typename code message retry retryAfterSeconds requestId generation { id status }`;

interface ErrorView {
  readonly __typename: string;
  readonly code: string;
  readonly retry: string;
  readonly requestId: string;
}

const createChat = `mutation ($input: ChatInput!, $key: ID) {
  result: createChatCompletion(input: $input, idempotencyKey: $key) {
    ... on Generation { id status }
    ... on GengraphError { ${errorFields} }
  }
}`;

/** What docs/errors.md says about a code, the usual advice first. */
function documentedAdvice(code: ErrorCode): readonly RetryAdvice[] {
  const entry: { readonly retry: RetryAdvice; readonly byCause?: readonly RetryAdvice[] } = errorCodes[code];
  return entry.byCause ?? [entry.retry];
}

async function refuse(app: TestApp, model: string, key?: string): Promise<ErrorView> {
  const variables = { input: ask(`Hello ${model}`, { model }), key };
  const { data } = await app.run<{ readonly result: ErrorView }, object>(createChat, variables);
  if (!data) throw new Error('no data');
  const { code, retry } = data.result;
  expect(isErrorCode(code) && documentedAdvice(code)).toContain(retry);
  return data.result;
}

test('docs/errors.md lists every code and every retry advice', () => {
  const page = readPage('docs/errors.md');
  expect(tableRows(page, '## Codes and their usual advice')).toEqual(
    Object.keys(errorCodes).map((code) => {
      const [usual, ...others] = isErrorCode(code) ? documentedAdvice(code) : [];
      const list = others.map((advice) => `\`${advice}\``).join(', ');
      return [`\`${code}\``, `\`${usual}\`${others.length > 0 ? `; by cause ${list}` : ''}`];
    }),
  );
  // That of an error whose origin gives none is one of them.
  for (const code of Object.keys(errorCodes).filter(isErrorCode))
    expect(documentedAdvice(code)).toContain(errorCodes[code].retry);
  expect(tableRows(page, '## Retry advice')).toEqual(
    Object.entries(retryAdvice).map(([advice, meaning]) => [`\`${advice}\``, meaning]),
  );
});

test('every error of every result union has all members of GengraphError, in one valid selection', async () => {
  await using app = await startApp();
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType);
  const results = unions.filter(({ name }) => name.endsWith('Result'));
  expect(results.length).toBeGreaterThan(3);
  for (const union of results) {
    const errors = union.getTypes().filter(({ name }) => name.endsWith('Error'));
    expect(errors.map((type) => type.getInterfaces().map(({ name }) => name))).toEqual(
      errors.map(() => ['GengraphError']),
    );
    const parts = errors.map(({ name }) => `... on ${name} { ${errorFields} }`).join(' ');
    const others = union.getTypes().filter((type) => !errors.includes(type));
    const own = others.map(({ name }) => `... on ${name} { __typename }`).join(' ');
    const query = `query { __typename } fragment All on ${union.name} { ${parts} ${own} }
      query Use { __typename @skip(if: true) }`;
    const reply = await postJson(app.url, { query, operationName: 'Use' }, sandboxKey);
    const messages = reply.json.errors?.map(({ message }) => message) ?? [];
    // The fragment and the anonymous operation are unused. No selection conflicts.
    expect(messages.filter((message) => message.includes('conflict'))).toEqual([]);
  }
});

describe('the retry advice of a refused create', () => {
  test.each([
    ['fault-empty-401', 'AuthenticationError', 'AUTHENTICATE', null],
    ['fault-quota', 'QuotaError', 'ADD_QUOTA', null],
    ['fault-rate-limit', 'RateLimitError', 'LATER', 2],
    ['unknown-model', 'GatewayError', 'FIX_INPUT', null],
    ['', 'InvalidInputError', 'FIX_INPUT', null],
  ])('%s: %s has %s', async (model, typeName, retry, retryAfterSeconds) => {
    await using app = await startApp();
    expect(await refuse(app, model)).toMatchObject({
      __typename: typeName,
      retry,
      retryAfterSeconds,
      generation: null,
      requestId: expect.stringMatching(/^request_/),
    });
  });

  test('is the usual one for an outage of the gateway', async () => {
    const outage = (status: number) =>
      startFakeGateway((_request, response) => sendJson(response, '{"error":{"message":"down"}}', status));
    for (const status of [500, 502, 503]) {
      const gateway = await outage(status);
      await using app = await startApp({ gatewayUrl: gateway.url });
      const [usual] = documentedAdvice('GATEWAY_ERROR');
      expect(await refuse(app, 'm')).toMatchObject({ code: 'GATEWAY_ERROR', retry: usual });
    }
  });

  test('is SAFE when the gateway could not be reached', async () => {
    await using app = await startApp({ gatewayUrl: 'http://127.0.0.1:1' });
    expect(await refuse(app, 'm')).toMatchObject({ __typename: 'GatewayError', retry: 'SAFE' });
  });

  test('is MAY_CHARGE_AGAIN, with the generation, when the reply was lost', async () => {
    const gateway = await startFakeGateway((_request, response) => void response.socket?.destroy());
    await using app = await startApp({ gatewayUrl: gateway.url });
    const generation = { id: expect.any(String), status: 'UNKNOWN' };
    const lost = { __typename: 'OutcomeUnknownError', retry: 'MAY_CHARGE_AGAIN', generation };
    expect(await refuse(app, 'm', 'k')).toMatchObject(lost);
    expect(await refuse(app, 'other', 'k')).toMatchObject({
      __typename: 'IdempotencyConflictError',
      retry: 'NEW_KEY',
      generation,
    });
  });
});

test.each([
  ['fault-bare-eof', 'STREAM_UNFINISHED'],
  ['fault-cut-stream', 'STREAM_CUT'],
  ['fault-in-band-error', 'GATEWAY_ERROR'],
])('%s ends an accepted stream with MAY_CHARGE_AGAIN and its generation', async (model, code) => {
  await using app = await startApp();
  const query = `subscription ($input: ChatInput!) {
    streamChat(input: $input) { __typename generationId ... on ChatFailed { error { ${errorFields} } } }
  }`;
  const events = [];
  for await (const { data } of app
    .wsClient()
    .iterate({ query, variables: { input: ask('Hello', { model }) } }))
    events.push(data?.['streamChat']);
  const { generationId, error } = events.at(-1) as { generationId: string; error: object };
  expect(error).toMatchObject({
    code,
    retry: 'MAY_CHARGE_AGAIN',
    requestId: expect.any(String),
    generation: { id: generationId, status: 'FAILED' },
  });
});

test.each([
  ['insufficient_quota', 'QUOTA_EXCEEDED'],
  ['invalid_api_key', 'AUTHENTICATION_FAILED'],
  ['rate_limit_exceeded', 'RATE_LIMITED'],
])('%s within a stream says that its text may be charged', async (upstreamCode, code) => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'), { error: { code: upstreamCode, message: 'no' } });
  const { id } = made(await starting);
  const last = (await toEnd(chatEvents(app.wsClient(), { id }))).at(-1);
  const failure = { code, retry: 'MAY_CHARGE_AGAIN' };
  expect(last).toMatchObject({ __typename: 'ChatFailed', error: failure });
  const query = 'query ($id: ID!) { generation(by: { id: $id }) { error { code retry } } }';
  expect((await app.run<object, object>(query, { id })).data).toEqual({ generation: { error: failure } });
});

describe('the extensions of a top-level error', () => {
  test.each([
    ['{', 'GRAPHQL_PARSE_FAILED', 'FIX_INPUT'],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED', 'FIX_INPUT'],
    ['{ generations(first: 101) { __typename } }', 'LIMIT_EXCEEDED', 'FIX_INPUT'],
    ['{ generations(after: "x") { __typename } }', 'BAD_REQUEST', 'FIX_INPUT'],
    ['subscription { taskProgress(id: "x") { id } }', 'NOT_FOUND', 'NEVER'],
  ])('of %s have code, advice and request id', async (query, code, retry) => {
    await using app = await startApp();
    const headers = { ...sandboxKey, 'x-request-id': 'mine', accept: 'text/event-stream, application/json' };
    const { text, headers: replied } = await postJson(app.url, { query }, headers);
    expect(text).toContain(`"code":"${code}","retry":"${retry}","requestId":"mine"`);
    expect(replied['x-request-id']).toBe('mine');
  });

  test('without a credential have AUTHENTICATE', async () => {
    await using app = await startApp();
    const { json } = await postJson(app.url, { query: '{ voices { __typename } }' });
    expect(json.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', retry: 'AUTHENTICATE' } }]);
  });

  test('have the seconds to wait and the request id of the reply', async () => {
    const gateway = await startFakeGateway(
      (_request, response) => void response.writeHead(429, { 'retry-after': '60' }).end('{"message":"slow"}'),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const reply = await postJson(app.url, { query: '{ voices { __typename } }' }, sandboxKey);
    const requestId = reply.headers['x-request-id'];
    const extensions = { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 60, requestId };
    expect(reply.json.errors).toMatchObject([{ extensions }]);
  });

  test('of a request that is refused before it is read have advice and request id', async () => {
    await using app = await startApp();
    const reply = await fetch(app.url, { method: 'POST', headers: { 'x-request-id': 'mine' }, body: 'x' });
    expect(await reply.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', retry: 'FIX_INPUT', requestId: 'mine' } }],
    });
  });
});

describe('the advice while a field below a create cannot be read, because the records are away', () => {
  const away = (): Promise<never> => Promise.reject(new RecordsUnavailableError('away'));
  const create = (key: string): string =>
    `startChat(input: { model: "m", messages: [{ role: USER, content: { text: "Hello" } }] }${key}) { ... on Generation { id thread { id } } }`;

  test.each([
    ['without a key', '', 'MAY_CHARGE_AGAIN', /The create was sent: find it in `generations`\./],
    ['with a key', ', idempotencyKey: "k"', 'SAME_KEY', /never with a new one/],
    ['without the key that it may have', ', idempotencyKey: $constructor', 'MAY_CHARGE_AGAIN', /was sent/],
  ])('of a create %s: %s', async (_how, key, retry, message) => {
    await using app = await startApp({
      overrides: { wrapStore: (store) => ({ ...store, findThread: away }) },
    });
    const definitions = key.includes('$') ? '($constructor: ID)' : '';
    const { errors } = await app.run(`mutation ${definitions} { ${create(key)} }`, {});
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message), extensions: { code: 'RECORDS_UNAVAILABLE', retry } },
    ]);
    const { data } = await app.run<{ generations: { totalCount: number } }, object>(
      '{ generations { totalCount } }',
    );
    expect(data?.generations.totalCount).toBe(1);
  });
});

describe('what fails in the answer of a create', () => {
  const create = (selection: string): string =>
    `startChat(input: { model: "m", messages: [{ role: USER, content: { text: "${'x '.repeat(20_000)}" } }] }) {
      ... on Generation { ${selection} }
    }`;
  test.each([
    ['a cursor', '{ id continuations(after: "x") { totalCount } }', 'BAD_REQUEST', 'MAY_CHARGE_AGAIN', 1],
    ['the size of its answer', '{ id a: prompt b: prompt }', 'LIMIT_EXCEEDED', 'MAY_CHARGE_AGAIN', 1],
    ['a page size', '{ id continuations(first: $size) { totalCount } }', 'LIMIT_EXCEEDED', 'FIX_INPUT', 0],
    ['a null condition', '{ metrics { __typename @skip(if: $isShort) } }', 'BAD_REQUEST', 'FIX_INPUT', 0],
  ])('%s %s: %s has %s', async (_what, selection, code, retry, sent) => {
    await using app = await startApp({ env: { MAX_ANSWER_BYTES: '65536' } });
    const query = `mutation ($size: Int = 1, $isShort: Boolean = true) {
      ${create(`...Shown error @include(if: false) { code @skip(if: $isShort) } skipped: continuations(first: $size) @skip(if: true) { totalCount }`)}
    } fragment Shown on Generation ${selection}`;
    const { errors } = await app.run(query, { size: 101, isShort: null });
    expect(errors).toMatchObject([{ extensions: { code, retry } }]);
    const { data } = await app.run<{ generations: object }, object>('{ generations { totalCount } }');
    expect(data).toEqual({ generations: { totalCount: sent } });
  });
});

describe('the advice of an internal error', () => {
  const chat = 'input: { model: "m", messages: [{ role: USER, content: { text: "Hello" } }] }';
  const fail = (): Promise<never> => Promise.reject(new TypeError('a defect'));
  const wrapStore = (store: Store): Store => ({
    ...store,
    claim: fail,
    findGenerations: fail,
    findSummaries: fail,
  });

  test.each([
    ['query', '{ generation(by: { id: "x" }) { id } }', 'LATER'],
    ['read in a mutation', 'mutation { cancelGeneration(by: { id: "x" }) { __typename } }', 'LATER'],
    ['follower', 'subscription { chatEvents(id: "x") { sequence } }', 'LATER'],
    ['create', `mutation { startChat(${chat}) { __typename } }`, 'MAY_CHARGE_AGAIN'],
    [
      'create in a fragment, under an alias',
      `mutation { ...Create } fragment Create on Mutation { mine: startChat(${chat}) { __typename } }`,
      'MAY_CHARGE_AGAIN',
    ],
    [
      'subscription that creates',
      `subscription { streamChat(${chat}, idempotencyKey: "k") { sequence } }`,
      'MAY_CHARGE_AGAIN',
    ],
  ])('of a %s: %s', async (_kind, query, retry) => {
    await using app = await startApp({ overrides: { wrapStore } });
    const headers = { ...sandboxKey, accept: 'text/event-stream, application/json' };
    const { text } = await postJson(app.url, { query }, headers);
    expect(text).toContain(`"code":"INTERNAL","retry":"${retry}"`);
    expect(text).toContain(retry === 'LATER' ? 'Try again later.' : 'The request may already be charged.');
    const results = app.wsClient().iterate({ query });
    const { value } = await results.next();
    expect(value?.errors).toMatchObject([{ extensions: { code: 'INTERNAL', retry } }]);
  });

  test('is separate for each root field of an operation', async () => {
    await using app = await startApp({ overrides: { wrapStore } });
    const query = `mutation { a: startChat(${chat}) { __typename } b: cancelGeneration(by: { id: "x" }) { __typename } }`;
    const { json } = await postJson(app.url, { query }, sandboxKey);
    expect(json.errors).toMatchObject([
      { path: ['a'], extensions: { retry: 'MAY_CHARGE_AGAIN' } },
      { path: ['b'], extensions: { retry: 'LATER' } },
    ]);
  });
});
