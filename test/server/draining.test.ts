import { connect } from 'node:net';
import { print } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ChatEventsDocument } from '../../src/client/documents.generated.ts';
import { sandboxKey, systemToken } from '../support/app.ts';
import { ask, chatEvents, made, startChat, toEnd } from '../support/chats.ts';
import { codeOf, openEventStream, postJson, sendRequest, toArray } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';
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

describe('a server that drains', () => {
  test('refuses new work, finishes running work, and closes sockets so that clients reconnect', async () => {
    await using running = await startRunning(patient);
    const { app, exchange, id } = running;
    const socket = await watchRaw(app.url, id);
    const streamed = watchEvents(app.url, id);
    await expect.poll(() => app.app.activity.watchers).toBe(2);

    const closing = app.app.close();
    expect((await sendRequest(`${app.app.url}/health/live`)).status).toBe(200);
    expect((await sendRequest(`${app.app.url}/health/ready`)).status).toBe(503);
    const refused = await postJson(app.url, typeName, sandboxKey);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(codeOf(refused.json)).toBe('SHUTTING_DOWN');
    socket.subscribe('new', typeName);
    expect(await socket.waitForEnd('new')).toMatchObject([
      { type: 'error', payload: [{ extensions: { code: 'SHUTTING_DOWN' } }] },
    ]);
    expect(await (await openRawSocket(app.url)).closed).toEqual({ code: 1012, reason: 'Service restart' });

    exchange.send(...words('the ', 'rest'), '[DONE]');
    const messages = await socket.waitForEnd('watch');
    expect(messages.map(({ type }) => type)).toEqual(['next', 'next', 'next', 'complete']);
    expect(JSON.stringify(messages)).toContain('"ChatCompleted"');
    expect(await socket.closed).toEqual({ code: 1012, reason: 'Service restart' });
    expect((await streamed).map(({ event }) => event)).toEqual(['next', 'next', 'next', 'complete']);
    await closing;
    await expect(sendRequest(`${app.app.url}/health/live`)).rejects.toThrow('ECONNREFUSED');
    expect(app.app.activity).toMatchObject({ sockets: 0, streams: 0, watchers: 0 });
  });

  test('waits until SHUTDOWN_SECONDS for creates that the gateway has not answered, over HTTP and WebSocket', async () => {
    const drainClock = createManualClock();
    await using scripted = await startScripted({ ...patient, overrides: { drainClock } });
    const { app, gateway } = scripted;
    const query = `mutation ($name: String!) { createToken(input: {name: $name, quota: {unlimited: true}}) {
      ... on CreatedToken { key } } }`;
    const overHttp = postJson(app.url, { query, variables: { name: 'a' } }, systemToken);
    const first = await gateway.exchange(0);
    const socket = await openRawSocket(app.url);
    await socket.init(systemToken);
    socket.subscribe('a', { query, variables: { name: 'b' } });
    const second = await gateway.exchange(1);
    const closing = app.app.close();
    // Just before the deadline nothing but the deadline is pending: the drain still waits for both creates.
    drainClock.advance(59_999);
    expect((await sendRequest(`${app.app.url}/health/live`)).status).toBe(200);
    expect([drainClock.pending(60_000), drainClock.pending(1000)]).toEqual([1, 0]);
    first.reply(200, { success: true, data: { key: 'sk-first' } });
    expect((await overHttp).json).toEqual({ data: { createToken: { key: 'sk-first' } } });
    second.reply(200, { success: true, data: { key: 'sk-second' } });
    expect((await socket.waitForEnd('a')).map(({ type }) => type)).toEqual(['next', 'complete']);
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
