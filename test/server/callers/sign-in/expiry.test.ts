import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { createClient as createSseClient } from 'graphql-sse';
import { expect, onTestFinished, test } from 'vitest';
import { ask, type ChatEvent, startChat, made, streamChat } from '../../../support/chats.ts';
import { foldedText } from '../../../support/fold-chat.ts';
import { openEventStream, toArray } from '../../../support/http.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openRawSocket } from '../../../support/raw-socket.ts';
import { chunk, startScripted, words } from '../../../support/scripted-gateway.ts';
import { bearer, mint, type MintOptions, signInBySecret } from '../../../support/sign-in.ts';

async function start() {
  // Times in tokens are whole seconds.
  const clock = createManualClock(Math.floor(Date.now() / 1000) * 1000);
  const { app, gateway, ...rest } = await startScripted({ env: signInBySecret, overrides: { clock } });
  onTestFinished(() => rest[Symbol.asyncDispose]());
  let minted = 0;
  /** A fresh token, as a front end gets it from its back end. */
  const fresh = async (options: MintOptions = {}) => {
    minted += 1;
    return bearer(await mint('ann', { now: clock.now(), lifeSeconds: 60, ...options }));
  };
  return {
    app,
    gateway,
    clock,
    fresh,
    get minted() {
      return minted;
    },
    /** Until the token of this moment has expired, with the clock tolerance. */
    expire: () => clock.advance(65_000),
  };
}

type Server = Awaited<ReturnType<typeof start>>;

/** Plays a chat whose token expires between two words. */
async function playChat(
  { gateway, expire }: Server,
  events: AsyncIterableIterator<ChatEvent>,
): Promise<readonly ChatEvent[]> {
  const all: ChatEvent[] = [];
  const done = (async () => {
    for await (const event of events) all.push(event);
  })();
  const exchange = await gateway.exchange(0);
  exchange.accept();
  exchange.send(...words('one ', 'two '));
  await expect.poll(() => foldedText(all)).toBe('one two ');
  expire();
  exchange.send(...words('three '));
  await expect.poll(() => all.filter(({ __typename }) => __typename === 'ChatSnapshot').length).toBe(2);
  exchange.send(...words('four'), chunk({}, 'stop'), '[DONE]');
  exchange.end();
  await done;
  return all;
}

test('a chat of the stock client survives the expiry of its token and is paid for once', async () => {
  const server = await start();
  const codes: unknown[] = [];
  const client = server.app.wsClient({
    connectionParams: () => server.fresh(),
    retryAttempts: 5,
    retryWait: () => Promise.resolve(),
    on: { closed: (event) => void codes.push((event as { code: number }).code) },
  });
  const events = await playChat(server, streamChat(client, { input: ask('Hello') }));
  expect(foldedText(events)).toBe('one two three four');
  expect(events.at(-1)?.__typename).toBe('ChatCompleted');
  expect(codes[0]).toBe(4403);
  expect(server.minted).toBe(2);
  expect(server.gateway.requests).toHaveLength(1);
  expect((await server.gateway.exchange(0)).headers['authorization']).toBe('Bearer sk-sandbox');
});

test('a chat over server-sent events breaks off without an end, so that its client comes back', async () => {
  const server = await start();
  const client = createSseClient({
    url: server.app.url,
    headers: () => server.fresh(),
    retryAttempts: 5,
    retry: () => Promise.resolve(),
  });
  onTestFinished(() => client.dispose());
  const events = await playChat(server, streamChat(client, { input: ask('Hello'), idempotencyKey: 'k' }));
  expect(foldedText(events)).toBe('one two three four');
  expect(server.minted).toBe(2);
  expect(server.gateway.requests).toHaveLength(1);
});

test('a chat that nobody can watch any more goes on at the gateway', async () => {
  const { app, gateway, fresh, expire } = await start();
  const creating = startChat(app, { input: ask('Hello') }, await fresh());
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await creating);
  expire();
  exchange.send(...words('all of it'), chunk({}, 'stop'), '[DONE]');
  exchange.end();
  await expect.poll(() => app.app.activity.streams).toBe(0);
  const headers = await fresh();
  const { data } = await app.run<{ generation: unknown }, object>(
    'query ($id: ID!) { generation(by: { id: $id }) { status output { ... on ChatCompletion { choices { message { content } } } } } }',
    { id },
    { headers },
  );
  expect(data?.generation).toEqual({
    status: 'SUCCEEDED',
    output: { choices: [{ message: { content: 'all of it' } }] },
  });
});

test('a socket is closed with 4403 at the expiry of the token of its upgrade request', async () => {
  const { app, clock, fresh } = await start();
  const socket = await openRawSocket(app.url, { headers: await fresh() });
  await socket.init(null);
  clock.advance(64_999);
  socket.subscribe('a', '{ generations(first: 1) { totalCount } }');
  expect((await socket.waitForMessage('a')).type).toBe('next');
  clock.advance(1);
  expect(await socket.closed).toEqual({ code: 4403, reason: 'The token has expired' });
});

test('a subscription with a token of its own ends with that token', async () => {
  const { app, clock, fresh } = await start();
  const socket = await openRawSocket(app.url);
  await socket.init(await fresh({ lifeSeconds: 3600 }));
  const headers = await fresh();
  socket.subscribe('a', {
    query: 'subscription { generationChanged { cursor } }',
    extensions: { headers },
  });
  await expect.poll(() => app.app.activity.feeds).toBe(1);
  clock.advance(65_000);
  expect((await socket.closed).code).toBe(4403);
  await expect.poll(() => app.app.activity.feeds).toBe(0);
});

test('a socket whose token lasts for months stays open', async () => {
  const { app, clock, fresh } = await start();
  const socket = await openRawSocket(app.url);
  await socket.init(await fresh({ lifeSeconds: 90 * 86_400 }));
  for (let day = 0; day < 89; day += 1) clock.advance(86_400_000);
  socket.subscribe('a', '{ generations(first: 1) { totalCount } }');
  expect((await socket.waitForMessage('a')).type).toBe('next');
  for (let day = 0; day < 2; day += 1) clock.advance(86_400_000);
  expect((await socket.closed).code).toBe(4403);
});

test('over HTTP, an expired token is UNAUTHENTICATED although it was accepted before', async () => {
  const { app, fresh, expire } = await start();
  const headers = await fresh();
  const query = '{ generations(first: 1) { totalCount } }';
  expect(await app.run(query, {}, { headers })).toEqual({ data: { generations: { totalCount: 0 } } });
  expire();
  for (const url of [app.url, `${app.url}?yoga`]) {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect([reply.status, await reply.json()]).toMatchObject([
      401,
      {
        errors: [
          {
            message: 'The token has expired. Send a new one.',
            extensions: { code: 'UNAUTHENTICATED', retry: 'AUTHENTICATE' },
          },
        ],
      },
    ]);
  }
});

test.each([
  ['server-sent events', 'text/event-stream'],
  ['parts', 'multipart/mixed;subscriptionSpec=1.0'],
])('no feed over %s outlives its token', async (_what, accept) => {
  const { app, fresh, expire } = await start();
  const query = 'subscription { generationChanged { cursor } }';
  const { events } = await openEventStream(app.url, { query }, { headers: { ...(await fresh()), accept } });
  const received = toArray(events).catch(() => 'broken off');
  await expect.poll(() => app.app.activity.feeds).toBe(1);
  expire();
  expect(await received).toBe('broken off');
  await expect.poll(() => app.app.activity.feeds).toBe(0);
});

test.each(['application/json', 'text/event-stream'])(
  'a token that expires while the body arrives creates nothing: %s',
  async (accept) => {
    const { app, gateway, fresh, expire } = await start();
    const query = 'mutation ($input: ChatInput!) { startChat(input: $input) { __typename } }';
    const body = JSON.stringify({ query, variables: { input: ask('Hello') } });
    const headers = { ...(await fresh()), 'content-type': 'application/json', accept };
    const request = httpRequest(app.url, { method: 'POST', headers });
    request.flushHeaders();
    request.write(body.slice(0, 10));
    // The server has identified the caller of the first request when it answers the second one.
    await fetch(new URL('/health/live', app.url));
    expire();
    request.end(body.slice(10));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const text = (await toArray(response.setEncoding('utf8'))).join('');
    expect([response.statusCode, text]).toEqual([401, expect.stringContaining('UNAUTHENTICATED')]);
    expect(gateway.requests).toHaveLength(0);
  },
);
