import { type ExecutionResult, type GraphQLFormattedError, print } from 'graphql';
import type { Client as SseClient } from 'graphql-sse';
import type { Client as WsClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ChatEventsDocument,
  GenerationsDocument,
  StartChatDocument,
  VoicesDocument,
} from '../../src/client/documents.generated.ts';
import { sandboxKey, startApp, subscribe } from '../support/app.ts';
import { ask, made, startChat } from '../support/chats.ts';
import { codeOf, openEventStream, postJson, sendRequest, toArray } from '../support/http.ts';
import { createInbox, type Inbox } from '../support/inbox.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

describe('queries and mutations', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  async function overSocket(query: string, variables: Record<string, unknown>): Promise<unknown> {
    for await (const result of app.wsClient().iterate({ query, variables })) return result;
    return undefined;
  }

  test('return the same over HTTP GET and POST, over a WebSocket and as one server-sent event', async () => {
    const query = print(VoicesDocument);
    const variables = { first: 3 };
    const posted = await postJson(app.url, { query, variables }, sandboxKey);
    expect(posted.status).toBe(200);
    expect(posted.json.errors).toBeUndefined();
    const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    const got = await sendRequest(`${app.url}?${search}`, { headers: sandboxKey });
    expect(got.json).toEqual(posted.json);
    expect(await overSocket(query, variables)).toEqual(posted.json);
    const { events } = await openEventStream(app.url, { query, variables }, { headers: sandboxKey });
    const streamed = await toArray(events);
    expect(streamed.map(({ event }) => event)).toEqual(['next', 'complete']);
    expect(JSON.parse(streamed[0]?.data ?? '')).toEqual(posted.json);
  });

  test('a query over HTTP finds what a mutation over a WebSocket created', async () => {
    const collection = 'from-a-socket';
    const result = await overSocket(print(StartChatDocument), { input: ask('Hello'), collection });
    expect(result).toMatchObject({ data: { startChat: { __typename: 'Generation' } } });
    const found = await app.run(GenerationsDocument, { filter: { collection } });
    expect(found.data?.generations?.edges).toHaveLength(1);
  });

  test.each(['application/json', 'text/event-stream', '*/*'])(
    'mutations and subscriptions are rejected over GET with Accept: %s',
    async (accept) => {
      const before = app.sandbox.activity.count();
      const operations = {
        mutation: 'mutation { startChat(input: {model: "m", messages: []}) { __typename } }',
        subscription:
          'subscription { streamChat(input: {model: "m", messages: []}, idempotencyKey: "k") { sequence } }',
      };
      for (const query of Object.values(operations)) {
        const search = new URLSearchParams({ query });
        const reply = await sendRequest(`${app.url}?${search}`, { headers: { ...sandboxKey, accept } });
        expect(reply.status).toBe(405);
        expect(reply.headers['allow']).toBe('POST');
        expect(reply.text).toContain('"code":"BAD_REQUEST"');
      }
      expect(app.sandbox.activity.count()).toBe(before);
    },
  );
});

describe('an operation whose Accept header allows no answer', () => {
  const input = '{model: "m", messages: [{role: USER, content: {text: "Hello"}}]}';
  const mutation = `mutation { createChatCompletion(input: ${input}) { __typename } }`;
  const subscription = `subscription { streamChat(input: ${input}) { sequence } }`;

  test.each([
    ['a mutation', 'plain text', mutation, 'text/plain'],
    ['a mutation', 'another charset', mutation, 'application/json; charset=latin1'],
    ['a mutation', 'thousands of unknown types', mutation, 'application/nothing,'.repeat(500)],
    ['a subscription', 'plain text', subscription, 'text/plain'],
    ['a subscription', 'JSON', subscription, 'application/json'],
    ['a subscription', 'parts', subscription, 'multipart/mixed'],
  ])('is refused before anything is sent: %s with %s', async (_operation, _types, query, accept) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const reply = await postJson(app.url, { query }, { ...sandboxKey, accept });
    expect(reply.status).toBe(406);
    expect(codeOf(reply.json)).toBe('BAD_REQUEST');
    expect(JSON.stringify(reply.headers).length).toBeLessThan(1000);
    expect(gateway.requests).toHaveLength(0);
  });
});

/** Collects the results of a subscription of a stock client. */
function watch(client: WsClient | SseClient, id: string): { inbox: Inbox<unknown>; ended: Promise<void> } {
  const inbox = createInbox<unknown>();
  const follow = async (): Promise<void> => {
    for await (const result of subscribe(client, ChatEventsDocument, { id })) inbox.push(result);
  };
  return { inbox, ended: follow() };
}

describe('a subscription', () => {
  test('sends the same events in the same order over WebSocket, by graphql-sse and by plain fetch', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);

    const watchers = [watch(app.wsClient(), id), watch(app.sseClient(), id)];
    const payload = { query: print(ChatEventsDocument), variables: { id } };
    const { response, events } = await openEventStream(app.url, payload, { headers: sandboxKey });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const raw = createInbox<unknown>();
    const readRaw = async (): Promise<void> => {
      for await (const { event, data } of events)
        if (event === 'next') raw.push(JSON.parse(data) as ExecutionResult);
    };
    const reading = readRaw();

    const inboxes = [...watchers.map(({ inbox }) => inbox), raw];
    const allHold = (count: number) => Promise.all(inboxes.map((inbox) => inbox.at(count - 1)));
    await allHold(1);
    for (const [index, word] of words('It ', 'was ', 'a dark night.').entries()) {
      exchange.send(word);
      await allHold(index + 2);
    }
    exchange.send('[DONE]');
    await Promise.all([reading, ...watchers.map(({ ended }) => ended)]);
    const typeNames = raw.all.map(
      (result) =>
        (result as ExecutionResult<{ chatEvents: { __typename: string } }>).data?.chatEvents.__typename,
    );
    expect(typeNames).toEqual(['ChatSnapshot', 'ChatDelta', 'ChatDelta', 'ChatDelta', 'ChatCompleted']);
    for (const { inbox } of watchers) expect(inbox.all).toEqual(raw.all);
  });

  test('is streamed by POST for any Accept header except JSON only', async () => {
    await using app = await startApp();
    const query =
      'subscription { streamChat(input: { model: "", messages: [] }, idempotencyKey: "k") { __typename } }';
    const reply = await postJson(app.url, { query }, sandboxKey);
    expect(reply.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(reply.text).toContain('ChatFailed');
    const jsonOnly = await postJson(app.url, { query }, { ...sandboxKey, accept: 'application/json' });
    expect(jsonOnly.status).toBe(406);
  });
});

const running = 'subscription ($id: ID!) { chatEvents(id: $id) { sequence __typename } }';

describe('an invalid operation over a WebSocket', () => {
  test.each([
    ['has a syntax error', { query: '{ voices' }, 'GRAPHQL_PARSE_FAILED'],
    ['selects an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'names an operation that does not exist',
      { query: '{ __typename }', operationName: 'Other' },
      'BAD_REQUEST',
    ],
    [
      'does not name one of several operations',
      { query: 'query A { __typename } query B { __typename }' },
      'BAD_REQUEST',
    ],
    ['has no operation', { query: 'fragment A on Query { __typename }' }, 'BAD_REQUEST'],
    ['lacks a variable', { query: 'query ($id: ID!) { node(id: $id) { id } }' }, 'BAD_REQUEST'],
    ['subscribes without a variable', { query: running }, 'BAD_REQUEST'],
    [
      'subscribes with a variable of another type',
      { query: running, variables: { id: { a: 1 } } },
      'BAD_REQUEST',
    ],
    [
      'skips the root field of a subscription',
      { query: 'subscription { chatEvents(id: "x") @skip(if: true) { sequence } }' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'includes that field conditionally by a fragment',
      {
        query:
          'subscription { ...F @include(if: false) } fragment F on Subscription { chatEvents(id: "x") { sequence } }',
      },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'is too deep',
      {
        query: `{ generations { edges { node { ${'task { generation {'.repeat(15)} id ${'} }'.repeat(15)} } } } }`,
      },
      'LIMIT_EXCEEDED',
    ],
  ])(
    'that %s has the same error as over HTTP and does not interrupt other operations',
    async (_why, payload, code) => {
      await using scripted = await startScripted();
      const { app, gateway } = scripted;
      const starting = startChat(app, { input: ask('Hello') });
      const exchange = await gateway.exchange(0);
      exchange.accept();
      const { id } = made(await starting);
      const client = app.wsClient();
      const otherWatch = watch(client, id);
      await otherWatch.inbox.at(0);

      const overHttp = await postJson(app.url, payload, { ...sandboxKey, accept: 'text/event-stream, */*' });
      expect(overHttp.text).toContain(`"code":"${code}"`);
      const overSocket = await errorsOf(client, payload);
      expect(overSocket.map(({ extensions }) => extensions)).toEqual([
        { code, retry: 'FIX_INPUT', requestId: expect.any(String) },
      ]);
      expect(overHttp.text).toContain(JSON.stringify(overSocket[0]?.message));

      exchange.send(...words('still there'), '[DONE]');
      await otherWatch.ended;
      expect(otherWatch.inbox.all).toHaveLength(3);
    },
  );
});

/** The errors of a rejected operation, in an `error` or a `next` message. */
async function errorsOf(
  client: WsClient,
  payload: { query: string; operationName?: string; variables?: Record<string, unknown> },
): Promise<readonly GraphQLFormattedError[]> {
  try {
    for await (const result of client.iterate(payload)) if (result.errors) return result.errors;
  } catch (errors) {
    return errors as readonly GraphQLFormattedError[]; // The stock client throws the list of errors.
  }
  throw new Error('the operation was not rejected');
}

test('a cached validation error is the same over HTTP and a WebSocket', async () => {
  await using app = await startApp();
  const payload = { query: '{ nothing }' };
  const overHttp = await postJson(app.url, payload);
  expect(codeOf(overHttp.json)).toBe('GRAPHQL_VALIDATION_FAILED');
  const overSocket = await errorsOf(app.wsClient(), payload);
  // Each operation has its own request id.
  const requestId = expect.any(String);
  expect(overSocket).toEqual(
    overHttp.json.errors?.map(({ message, locations, extensions }) => ({
      message,
      locations,
      extensions: { ...extensions, requestId },
    })),
  );
  expect(overHttp.json.errors).toMatchObject([{ extensions: { requestId } }]);
});
