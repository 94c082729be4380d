import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { print } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ChatEventsDocument } from '../../src/client/documents.generated.ts';
import { sandboxKey, startApp, systemToken, type TestApp } from '../support/app.ts';
import { ask, chatEvents, made, startChat, streamChat, toEnd } from '../support/chats.ts';
import { createHeldMethod } from '../support/held-method.ts';
import { openEventStream, postJson, sendRequest, toArray } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { toBytes } from '../support/raw-http.ts';
import { openRawSocket, type RawSocket } from '../support/raw-socket.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const patient = { env: { SHUTDOWN_SECONDS: '60' } };
const typeName = { query: '{ __typename }' };

/** The program with one running chat, which the test ends. */
async function startRunning(options: Parameters<typeof startScripted>[0]) {
  const scripted = await startScripted(options);
  const starting = startChat(scripted.app, { input: ask('Hello') });
  const exchange = await scripted.gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  return { ...scripted, exchange, id, [Symbol.asyncDispose]: () => scripted[Symbol.asyncDispose]() };
}

/** A socket that watches a chat and has its first event. */
async function watchRaw(url: string, id: string) {
  const socket = await openRawSocket(url);
  await socket.init();
  socket.subscribe('watch', { query: print(ChatEventsDocument), variables: { id } });
  await socket.waitForMessage('watch');
  return socket;
}

/** Watches a chat by server-sent events. Resolves with all of them when the stream ends. */
async function watchEvents(url: string, id: string) {
  const { events } = await openEventStream(
    url,
    { query: print(ChatEventsDocument), variables: { id } },
    { headers: sandboxKey },
  );
  return toArray(events);
}

const restart = { code: 1012, reason: 'Service restart' };

/** A connection on which one request was answered. */
async function openConnection(url: string) {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const closed = once(socket, 'close');
  const ask = async (path: string): Promise<string> => {
    socket.write(toBytes(path, { body: typeName, headers: { connection: 'keep-alive', ...sandboxKey } }));
    return readReply(socket);
  };
  expect(await ask('/graphql')).toContain('200 OK');
  return { socket, ask, closed };
}

async function readReply(socket: Socket): Promise<string> {
  const [piece] = (await once(socket, 'data')) as [Buffer];
  return piece.toString('latin1');
}

function typesOf(socket: RawSocket, id: string): readonly string[] {
  return socket.inbox.all.filter((message) => message.id === id).map(({ type }) => type);
}

const createAccessToken = `mutation ($name: String!) { createAccessToken(input: {name: $name, quota: {isUnlimited: true}}) {
  ... on CreatedAccessToken { key } } }`;

const awaitGeneration =
  'query ($id: ID!) { awaitGeneration(by: {id: $id}, timeoutSeconds: 300) { isTerminal } }';

/** A song that takes longer than the test. */
async function startSong(app: TestApp) {
  const { data } = await app.run<{ made: { id: string } }, object>(
    'mutation { made: createSong(input: { description: "x", model: SONG_V5 }) { ... on Generation { id } } }',
  );
  const idleFeeds = app.app.activity.feeds;
  return {
    variables: data?.made,
    answer: { data: { awaitGeneration: { isTerminal: false } } },
    async isAwaited(times: number) {
      await expect.poll(() => app.app.activity.feeds).toBeGreaterThanOrEqual(idleFeeds + times);
    },
  };
}

describe('a server that drains', () => {
  test('refuses connections, finishes running work, and closes sockets so that clients reconnect', async () => {
    await using running = await startRunning(patient);
    const { app, exchange, id } = running;
    const socket = await watchRaw(app.url, id);
    const streamed = watchEvents(app.url, id);
    await expect.poll(() => app.app.activity.watchers).toBe(2);

    const closing = app.app.close();
    await expect
      .poll(() => sendRequest(`${app.app.url}/health/live`).catch(String))
      .toContain('ECONNREFUSED');
    exchange.send(...words('the ', 'rest'), '[DONE]');
    const messages = await socket.waitForEnd('watch');
    expect(messages.map(({ type }) => type)).toEqual(['next', 'next', 'next', 'complete']);
    expect(JSON.stringify(messages)).toContain('"ChatCompleted"');
    expect(await socket.closed).toEqual(restart);
    expect((await streamed).map(({ event }) => event)).toEqual(['next', 'next', 'next', 'complete']);
    await closing;
    expect(app.app.activity).toMatchObject({ sockets: 0, streams: 0, watchers: 0 });
  });

  test('closes the sockets at once that follow none of its streams', async () => {
    await using running = await startRunning(patient);
    const { app, exchange, id } = running;
    const watching = await watchRaw(app.url, id);
    const [idle, feed, silent] = [
      await openRawSocket(app.url),
      await openRawSocket(app.url),
      await openRawSocket(app.url),
    ];
    await idle.init();
    await feed.init();
    feed.subscribe('feed', 'subscription { generationChanged { cursor } }');
    await expect.poll(() => app.app.activity.feeds).toBeGreaterThan(0);
    const closing = app.app.close();
    for (const socket of [idle, feed, silent]) expect(await socket.closed).toEqual(restart);
    await expect.poll(() => app.app.activity.sockets).toBe(1);
    exchange.send('[DONE]');
    expect((await watching.waitForEnd('watch')).at(-1)?.type).toBe('complete');
    expect(await watching.closed).toEqual(restart);
    await closing;
  });

  test('answers no operation that arrives on a socket with a stream, but closes it for the client to repeat both', async () => {
    await using running = await startRunning(patient);
    const { app, exchange, gateway, id } = running;
    const socket = await watchRaw(app.url, id);
    const closing = app.app.close();
    socket.subscribe('new', { query: createAccessToken, variables: { name: 'a' } });
    expect(await socket.closed).toEqual(restart);
    expect(typesOf(socket, 'new')).toEqual([]);
    expect(typesOf(socket, 'watch')).toEqual(['next']);
    exchange.send('[DONE]');
    await closing;
    expect(gateway.requests).toHaveLength(1);
  });

  test('answers creates in flight before it closes their socket for another operation', async () => {
    await using scripted = await startScripted(patient);
    const { app, gateway } = scripted;
    const socket = await openRawSocket(app.url);
    await socket.init(systemToken);
    socket.subscribe('first', { query: createAccessToken, variables: { name: 'a' } });
    const exchange = await gateway.exchange(0);
    const closing = app.app.close();
    socket.subscribe('second', { query: createAccessToken, variables: { name: 'b' } });
    socket.send({ type: 'ping' });
    await socket.inbox.when((all) => all.some(({ type }) => type === 'pong'));
    exchange.reply(200, { success: true, data: { key: 'sk-first' } });
    expect((await socket.waitForEnd('first')).map(({ type }) => type)).toEqual(['next', 'complete']);
    expect(await socket.closed).toEqual(restart);
    expect(typesOf(socket, 'second')).toEqual([]);
    await closing;
    expect(gateway.requests).toHaveLength(1);
  });

  test('lets an operation wait no longer than 5 s for a create in flight on its socket', async () => {
    const clientClock = createManualClock();
    await using scripted = await startScripted({ ...patient, overrides: { clientClock } });
    const { app, gateway } = scripted;
    const socket = await openRawSocket(app.url);
    await socket.init(systemToken);
    socket.subscribe('first', { query: createAccessToken, variables: { name: 'a' } });
    const exchange = await gateway.exchange(0);
    const closing = app.app.close();
    socket.subscribe('second', typeName);
    await clientClock.waitForTimer(5000);
    clientClock.advance(4999);
    expect(app.app.activity.sockets).toBe(1);
    clientClock.advance(1);
    expect(await socket.closed).toEqual(restart);
    expect([...typesOf(socket, 'first'), ...typesOf(socket, 'second')]).toEqual([]);
    exchange.reply(200, { success: true, data: { key: 'sk-first' } });
    await closing;
  });

  test('serves an open connection once more, because a proxy does not repeat a POST', async () => {
    const drainClock = createManualClock();
    await using running = await startRunning({ ...patient, overrides: { drainClock } });
    const { app, exchange } = running;
    const [busy, health, twice, late, reused] = [
      await openConnection(app.url),
      await openConnection(app.url),
      await openConnection(app.url),
      await openConnection(app.url),
      await openConnection(app.url),
    ];
    const closing = app.app.close();
    const answer = await busy.ask('/graphql');
    expect(answer).toContain('200 OK');
    expect(answer.toLowerCase()).toContain('connection: close');
    await busy.closed;
    const ready = await health.ask('/health/ready');
    expect(ready).toContain('503 ');
    expect(ready).toContain('"draining"');

    // Without an answer, the client knows that the second did not run.
    const request = toBytes('/graphql', {
      body: typeName,
      headers: { connection: 'keep-alive', ...sandboxKey },
    });
    let replies = '';
    twice.socket.on('data', (piece: Buffer) => (replies += piece.toString('latin1')));
    twice.socket.write(Buffer.concat([request, request]));
    await twice.closed;
    expect(replies.match(/HTTP\/1.1 200 OK/g)).toHaveLength(1);

    // A proxy repeats an upgrade on another server if this one says nothing.
    let said = '';
    reused.socket.on('data', (piece: Buffer) => (said += piece.toString('latin1')));
    reused.socket.write(
      'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    await reused.closed;
    expect(said).toBe('');

    // Later requests would have less time than the drain. Idle connections close before.
    drainClock.advance(1000);
    await late.closed;
    exchange.send('[DONE]');
    await closing;
  });

  test('closes a connection after the server-sent events that it answers with', async () => {
    await using running = await startRunning(patient);
    const { app, exchange, id } = running;
    const { socket, closed } = await openConnection(app.url);
    const closing = app.app.close();
    let replies = '';
    socket.on('data', (piece: Buffer) => (replies += piece.toString('latin1')));
    socket.write(
      toBytes('/graphql', {
        body: { query: print(ChatEventsDocument), variables: { id } },
        headers: { connection: 'keep-alive', accept: 'text/event-stream', ...sandboxKey },
      }),
    );
    await expect.poll(() => replies).toContain('ChatSnapshot');
    exchange.send('[DONE]');
    await closed;
    expect(replies).toContain('event: complete');
    expect(replies.toLowerCase()).toContain('connection: close');
    await closing;
  });

  test('finishes a chat whose record it was writing when the drain began', async () => {
    const drainClock = createManualClock();
    const { wrapStore, called, release } = createHeldMethod('claim');
    await using scripted = await startScripted({ ...patient, overrides: { drainClock, wrapStore } });
    const { app, gateway } = scripted;
    const idle = await openConnection(app.url);
    const events = toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    await called;
    const closing = app.app.close();
    drainClock.advance(1000);
    await idle.closed;
    // Nothing but the deadline is pending: the drain waits for the chat, although no stream runs yet.
    expect([drainClock.pending(60_000), drainClock.pending(1000)]).toEqual([1, 0]);
    release();
    const exchange = await gateway.exchange(0);
    exchange.send(...words('whole'), '[DONE]');
    expect((await events).at(-1)).toMatchObject({
      __typename: 'ChatCompleted',
      soFar: { choices: [{ message: { content: 'whole' } }] },
    });
    await closing;
  });

  test('waits until SHUTDOWN_SECONDS for creates that the gateway has not answered, over HTTP and WebSocket', async () => {
    const drainClock = createManualClock();
    await using scripted = await startScripted({ ...patient, overrides: { drainClock } });
    const { app, gateway } = scripted;
    const query = createAccessToken;
    const overHttp = postJson(app.url, { query, variables: { name: 'a' } }, systemToken);
    const first = await gateway.exchange(0);
    const socket = await openRawSocket(app.url);
    await socket.init(systemToken);
    socket.subscribe('a', { query, variables: { name: 'b' } });
    const second = await gateway.exchange(1);
    const closing = app.app.close();
    // Just before the deadline nothing but the deadline is pending: the drain still waits for both creates.
    drainClock.advance(59_999);
    expect([drainClock.pending(60_000), drainClock.pending(1000)]).toEqual([1, 0]);
    first.reply(200, { success: true, data: { key: 'sk-first' } });
    expect((await overHttp).json).toEqual({ data: { createAccessToken: { key: 'sk-first' } } });
    second.reply(200, { success: true, data: { key: 'sk-second' } });
    expect((await socket.waitForEnd('a')).map(({ type }) => type)).toEqual(['next', 'complete']);
    await closing;
  });

  test('answers who awaits a task, and does not wait for its end', async () => {
    await using app = await startApp({ env: { SHUTDOWN_SECONDS: '60' }, sandbox: { taskSeconds: 600 } });
    const { variables, answer, isAwaited } = await startSong(app);
    const overHttp = postJson(app.url, { query: awaitGeneration, variables }, sandboxKey);
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('await', { query: awaitGeneration, variables });
    await isAwaited(2);
    const closing = app.app.close();
    expect((await overHttp).json).toEqual(answer);
    expect((await socket.waitForEnd('await'))[0]).toMatchObject({ payload: answer });
    expect(await socket.closed).toEqual(restart);
    await closing;
  });

  test('answers who awaits a task before it closes, also if a chat runs until SHUTDOWN_SECONDS', async () => {
    const drainClock = createManualClock();
    await using app = await startApp({
      env: { SHUTDOWN_SECONDS: '60' },
      sandbox: { taskSeconds: 600, tokensPerSecond: 0.1 },
      overrides: { drainClock },
    });
    const { variables, answer, isAwaited } = await startSong(app);
    made(await startChat(app, { input: ask('Hello') }));
    const awaited = postJson(app.url, { query: awaitGeneration, variables }, sandboxKey);
    await isAwaited(1);
    const closing = app.app.close();
    drainClock.advance(60_000);
    expect((await awaited).json).toEqual(answer);
    await closing;
  });

  test('interrupts running work after SHUTDOWN_SECONDS, and reports that before it closes', async () => {
    const drainClock = createManualClock();
    await using running = await startRunning({ ...patient, overrides: { drainClock } });
    const { app, exchange, id } = running;
    exchange.send(...words('half'));
    const socket = await watchRaw(app.url, id);
    const streamed = watchEvents(app.url, id);
    const stock = toEnd(chatEvents(app.wsClient(), { id }));
    await expect.poll(() => app.app.activity.watchers).toBe(3);
    const closing = app.app.close();
    drainClock.advance(60_000);
    await closing;
    await exchange.closed;
    const interrupted = '"code":"INTERRUPTED"';
    expect(JSON.stringify(await socket.waitForEnd('watch'))).toContain(interrupted);
    expect((await streamed).map(({ data }) => data).join()).toContain(interrupted);
    const last = (await stock).at(-1);
    expect(last).toMatchObject({
      __typename: 'ChatFailed',
      soFar: { choices: [{ message: { content: 'half' } }] },
    });
  });

  test('does not wait for clients that do not answer', async () => {
    await using running = await startRunning({ env: { SHUTDOWN_SECONDS: '0.05' } });
    const { app, id } = running;
    const deaf = await watchRaw(app.url, id);
    deaf.pause();
    const { hostname, port } = new URL(app.url);
    const idle = connect(Number(port), hostname);
    const half = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    onTestFinished(() => {
      idle.destroy();
      half.destroy();
    });
    idle.write(
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    half.write('GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await new Promise((resolve) => half.once('data', resolve));
    await app.app.close();
    expect(app.app.activity).toMatchObject({ sockets: 0, streams: 0, watchers: 0 });
  });

  test('drains once, however often close() is called', async () => {
    await using scripted = await startScripted();
    const { app } = scripted.app;
    expect(app.close()).toBe(app.close());
    await app.close();
  });
});
