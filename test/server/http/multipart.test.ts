import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { buildSchema, GraphQLError, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ChatEventsDocument, StreamChatDocument } from '../../../src/client/documents.generated.ts';
import { follow } from '../../../src/lib/follow.ts';
import { sandboxKey, startApp } from '../../support/app.ts';
import { ask, made, startChat } from '../../support/chats.ts';
import { codeOf, partsOf, postJson } from '../../support/http.ts';
import { createInbox } from '../../support/inbox.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';
import { startTransports } from '../../support/transports.ts';

const accept = 'multipart/mixed;subscriptionSpec=1.0';
const contentType = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0';

describe('the Accept header', () => {
  const query = `subscription { streamChat(input: {model: "", messages: []}, idempotencyKey: "k") { __typename } }`;
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each([
    'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9',
    'multipart/mixed;boundary="graphql";subscriptionSpec="1.0", application/json',
    'multipart/mixed; boundary="a,b;c" ; subscriptionSpec=1.0',
    'multipart/mixed;subscriptionSpec=1.0',
    'multipart/mixed;subscriptionSpec="1.0";q=0.5;deferSpec=20220824, */*;q=0.1',
    'Multipart/Mixed;SubscriptionSpec=1.0',
    'multipart/*',
    '*/*, multipart/mixed;subscriptionSpec=1.0',
    'multipart/mixed;subscriptionSpec="1.0", text/event-stream',
    'text/event-stream;q=0, multipart/mixed;subscriptionSpec=1.0',
  ])('asks for parts: %s', async (value) => {
    const { status, headers, text } = await postJson(app.url, { query }, { ...sandboxKey, accept: value });
    expect([status, headers['content-type']]).toEqual([200, contentType]);
    expect(partsOf(text)).toEqual([{ payload: { data: { streamChat: { __typename: 'ChatFailed' } } } }]);
  });

  test.each([
    'text/event-stream, multipart/mixed',
    'text/event-stream, multipart/mixed;subscriptionSpec=1.0',
    'multipart/mixed;subscriptionSpec=2.0, */*',
    'multipart/mixed;boundary="subscriptionSpec=1.0", text/event-stream',
    '*/*',
  ])('asks for server-sent events: %s', async (value) => {
    const { status, headers } = await postJson(app.url, { query }, { ...sandboxKey, accept: value });
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
  });

  test.each([
    'multipart/mixed',
    'multipart/mixed;subscriptionSpec=2.0',
    'multipart/mixed;subscriptionSpec=1.0;q=0',
    'multipart/mixed;subscriptionSpec=1.0;q=0.0, application/json',
  ])('allows no answer: %s', async (value) => {
    const reply = await postJson(app.url, { query }, { ...sandboxKey, accept: value });
    expect([reply.status, codeOf(reply.json)]).toEqual([406, 'BAD_REQUEST']);
  });

  test('decides how an error before the first event is answered', async () => {
    const invalid = 'subscription { nothing }';
    const json = await postJson(
      app.url,
      { query: invalid },
      { accept: `${accept}, application/json`, 'x-request-id': 'one' },
    );
    expect([json.status, codeOf(json.json)]).toEqual([200, 'GRAPHQL_VALIDATION_FAILED']);
    const parts = await postJson(app.url, { query: invalid }, { accept, 'x-request-id': 'one' });
    expect(parts.headers['content-type']).toBe(contentType);
    expect(partsOf(parts.text)).toEqual([{ payload: json.json }]);
    const refused = 'subscription { generationChanged { cursor } }';
    const unauthenticated = await postJson(
      app.url,
      { query: refused },
      { accept, 'x-end-user': 'x'.repeat(501) },
    );
    expect(unauthenticated.status).toBe(400);
    expect(partsOf(unauthenticated.text)).toMatchObject([
      { payload: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] } },
    ]);
  });
});

test('the events equal those over a WebSocket and by server-sent events', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello') });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  exchange.send(...words('It was ', 'a dark night.'), '[DONE]');
  exchange.end();
  await expect.poll(() => app.app.activity.streams).toBe(0);
  const payload = { query: print(ChatEventsDocument), variables: { id } };
  const overSocket: unknown[] = [];
  for await (const result of app.wsClient().iterate(payload)) overSocket.push(result);
  expect(overSocket.length).toBeGreaterThan(1);
  const { text } = await postJson(app.url, payload, { ...sandboxKey, accept });
  expect(partsOf(text)).toEqual(overSocket.map((result) => ({ payload: result })));
  const overEvents = await postJson(app.url, payload, { ...sandboxKey, accept: 'text/event-stream' });
  expect([...overEvents.text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))).toEqual(
    overSocket,
  );
});

test("Apollo Client's own HttpLink streams a chat, and leaving only stops watching", async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  await using scripted = await startScripted({ onLog: lines.push });
  const { app, gateway } = scripted;
  const client = new ApolloClient({
    link: new HttpLink({ uri: app.url, headers: sandboxKey }),
    cache: new InMemoryCache(),
  });
  onTestFinished(() => client.stop());
  const variables = { input: ask('Hello'), idempotencyKey: 'apollo' };
  const open = () => {
    const inbox = createInbox<{ readonly __typename: string }>();
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    const subscription = client
      .subscribe({ query: StreamChatDocument, variables, fetchPolicy: 'no-cache' })
      .subscribe({
        next: ({ data, error }) => (data ? inbox.push(data.streamChat) : reject(error)),
        complete: resolve,
        error: reject,
      });
    return { inbox, ended, subscription };
  };
  const first = open();
  const exchange = await gateway.exchange(0);
  exchange.accept();
  await first.inbox.at(0);
  exchange.send(...words('It was '));
  await first.inbox.at(1);
  first.subscription.unsubscribe();
  await expect.poll(() => app.app.activity.watchers).toBe(0);
  const second = open();
  await second.inbox.at(0);
  exchange.send(...words('a dark night.'), '[DONE]');
  exchange.end();
  await second.ended;
  expect(second.inbox.all.at(-1)?.__typename).toBe('ChatCompleted');
  expect(gateway.requests).toHaveLength(1);
  const operations = lines.all.filter(({ msg }) => msg === 'operation');
  expect(operations.map(({ transport }) => transport)).toEqual(['multipart', 'multipart']);
});

test("Apollo Client's own HttpLink gets the code and the message of an error before the first event", async () => {
  await using app = await startApp();
  const client = new ApolloClient({ link: new HttpLink({ uri: app.url }), cache: new InMemoryCache() });
  onTestFinished(() => client.stop());
  const { promise, resolve, reject } = Promise.withResolvers<Error | undefined>();
  client
    .subscribe({
      query: gql`
        subscription {
          chatEvents(id: "x", after: -1) {
            sequence
          }
        }
      `,
    })
    .subscribe({ next: ({ error }) => resolve(error), error: reject });
  expect(await promise).toMatchObject({ errors: [{ extensions: { code: expect.any(String) } }] });
});

test('a quiet reply has a heartbeat every 5 seconds, and none after its end', async () => {
  const clientClock = createManualClock();
  await using app = await startApp({ overrides: { clientClock } });
  const body = JSON.stringify({ query: 'subscription { generationChanged { cursor } }' });
  const headers = { ...sandboxKey, 'content-type': 'application/json', accept };
  const request = httpRequest(app.url, { method: 'POST', headers });
  request.on('error', () => {}).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  response.on('error', () => {});
  const heartbeat = '\r\ncontent-type: application/json\r\n\r\n{}\r\n--graphql';
  for (const count of [0, 1, 2]) {
    await expect.poll(() => text).toBe(`\r\n--graphql${heartbeat.repeat(count)}`);
    clientClock.advance(5000);
  }
  request.destroy();
  await expect.poll(() => app.app.activity.feeds).toBe(0);
  expect(clientClock.pending(5000)).toBe(0);
});

test('an error that ends the events is a fatal one, and Apollo Client reports its code', async () => {
  const schema = buildSchema('type Query { a: Int } type Subscription { a: Int }');
  let taken = 0;
  const a = () =>
    follow({
      open: () => () => {},
      take() {
        taken += 1;
        if (taken % 2 === 1) return { value: { a: 1 } };
        throw new GraphQLError('Not so.', { extensions: { code: 'BAD_REQUEST' } });
      },
    });
  const subscription = schema.getSubscriptionType()?.getFields()['a'];
  if (subscription) subscription.subscribe = a;
  const { url } = await startTransports(schema);
  const { text } = await postJson(url, { query: 'subscription { a }' }, { accept });
  expect(partsOf(text)).toMatchObject([
    { payload: { data: { a: 1 } } },
    { payload: null, errors: [{ message: 'Not so.', extensions: { code: 'BAD_REQUEST' } }] },
  ]);
  const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() });
  onTestFinished(() => client.stop());
  const results = createInbox<{ readonly error?: Error }>();
  client
    .subscribe({
      query: gql`
        subscription {
          a
        }
      `,
      fetchPolicy: 'no-cache',
    })
    .subscribe(results.push);
  await results.at(1);
  expect(results.all[1]?.error).toMatchObject({ errors: [{ message: 'Not so.' }] });
});
