import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, chatEvents, made, startChat, toEnd } from '../support/chats.ts';
import { postJson } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const maxBytes = 4096;
const log: Readonly<Record<string, unknown>>[] = [];
let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp({ env: { MAX_BODY_BYTES: String(maxBytes) }, onLog: (line) => void log.push(line) });
});
afterAll(() => app[Symbol.asyncDispose]());

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

async function expectAlive(): Promise<void> {
  expect((await postJson(app.url, { query: '{ __typename }' })).json).toEqual({
    data: { __typename: 'Query' },
  });
}

describe('a socket is closed without side effects', () => {
  const ping = { type: 'ping' };
  test.each([
    ['on text that is not JSON', 'hello', 4400],
    ['on JSON that is not a message', '[1, 2]', 4400],
    // Other characters in place of these bytes could be paid for.
    ['on JSON that is not UTF-8', Buffer.from('{"type":"ping","payload":{"text":"Café"}}', 'latin1'), 4400],
    ['on a message without type', { id: 'a' }, 4400],
    ['on a message of an unknown type', { type: 'start', id: 'a' }, 4400],
    ['on a message that only servers send', { type: 'connection_ack' }, 4400],
    ['on an event that only servers send', { type: 'next', id: 'a', payload: {} }, 4400],
    ['on a subscribe without payload', { type: 'subscribe', id: 'a' }, 4400],
    ['on a subscribe without id', { type: 'subscribe', payload: { query: '{ __typename }' } }, 4400],
    [
      'on a subscribe with an empty id',
      { type: 'subscribe', id: '', payload: { query: '{ __typename }' } },
      4400,
    ],
    [
      'on a subscribe whose query is not a string',
      { type: 'subscribe', id: 'a', payload: { query: 7 } },
      4400,
    ],
    [
      'on variables that are not an object',
      { type: 'subscribe', id: 'a', payload: { query: '{ __typename }', variables: [1] } },
      4400,
    ],
    ['on a second connection_init', { type: 'connection_init' }, 4429],
    ['on a frame larger than MAX_BODY_BYTES', { ...ping, payload: { text: 'x'.repeat(maxBytes) } }, 1009],
  ])('%s', async (_what, message, code) => {
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.send(message);
    expect(await socket.closed).toMatchObject({ code });
    await expectAlive();
    expect(log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  test('on an operation before connection_init', async () => {
    const socket = await openRawSocket(app.url);
    socket.subscribe('a', '{ __typename }');
    expect(await socket.closed).toMatchObject({ code: 4401 });
  });

  test('on connectionParams that are not an object', async () => {
    const socket = await openRawSocket(app.url);
    socket.send({ type: 'connection_init', payload: ['sk-sandbox'] });
    expect(await socket.closed).toMatchObject({ code: 4400 });
  });

  test.each([
    ['short', 'a', 'Subscriber for a already exists'],
    ['long', 'a'.repeat(200), `Subscriber for ${'a'.repeat(30)}… already exists`],
    [
      'long outside of ASCII',
      '\u{1F600}'.repeat(100),
      `Subscriber for ${'\u{1F600}'.repeat(15)}… already exists`,
    ],
  ])('on a second operation with the same id, which is %s', async (_what, id, reason) => {
    const socket = await openRawSocket(app.url);
    await socket.init();
    const query = 'subscription { generationChanged { cursor } }';
    socket.subscribe(id, query);
    socket.subscribe(id, query);
    expect(await socket.closed).toEqual({ code: 4409, reason });
    await expectAlive();
  });

  test('on a second operation with the id of a running one', async () => {
    await using scripted = await startScripted();
    const { app: other, gateway } = scripted;
    const starting = startChat(other, { input: ask('Hello') });
    (await gateway.exchange(0)).accept();
    const { id } = made(await starting);
    const socket = await openRawSocket(other.url);
    await socket.init();
    const query = `subscription { chatEvents(id: "${id}") { sequence } }`;
    socket.subscribe('a', query);
    await socket.waitForMessage('a');
    socket.subscribe('a', '{ __typename }');
    expect(await socket.closed).toEqual({ code: 4409, reason: 'Subscriber for a already exists' });
    // The server sees the close handshake complete after its client does.
    await expect
      .poll(() => ({ ...other.app.activity }), { interval: 5 })
      .toMatchObject({ sockets: 0, watchers: 0, streams: 1 });
  });

  test('without connection_init, after three seconds', async () => {
    const clientClock = createManualClock();
    await using waiting = await startApp({ overrides: { clientClock } });
    const socket = await openRawSocket(waiting.url);
    await clientClock.waitForTimer(3000);
    clientClock.advance(2999);
    socket.send({ type: 'ping' });
    await socket.inbox.when((all) => all.some(({ type }) => type === 'pong'));
    clientClock.advance(1);
    expect(await socket.closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' });
  });

  test('without a subprotocol', async () => {
    const socket = await openRawSocket(app.url, { protocols: [] });
    expect(await socket.closed).toEqual({ code: 4406, reason: 'Subprotocol not acceptable' });
  });

  test('with the legacy subprotocol, which its client treats as a rejection', async () => {
    const opening = openRawSocket(app.url, { protocols: ['graphql-ws'] });
    await expect(opening).rejects.toThrow('Server sent no subprotocol');
  });
});

describe('a socket', () => {
  test('answers a ping with the same payload and accepts an unsolicited pong', async () => {
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.send({ type: 'pong' });
    socket.send({ type: 'ping', payload: { a: 1 } });
    await socket.inbox.when((all) => all.some(({ type }) => type === 'pong'));
    expect(socket.inbox.all.at(-1)).toEqual({ type: 'pong', payload: { a: 1 } });
  });

  test.each([
    [
      'with an integer beyond ±2^53',
      '{"n":9007199254740993}',
      '{"type":"pong","payload":{"n":9007199254740993}}',
    ],
    ['that is long', `{"n":"${'x'.repeat(1000)}"}`, `{"type":"pong","payload":{"n":"${'x'.repeat(1000)}"}}`],
    ['that is too long to be repeated', `{"n":[${'1,'.repeat(1000)}1]}`, '{"type":"pong"}'],
  ])('answers a ping %s', async (_what, payload, expected) => {
    const socket = await openRawSocket(app.url);
    socket.send(`{"type":"ping","payload":${payload}}`);
    await socket.inbox.when((all) => all.length > 0);
    expect(socket.texts).toEqual([expected]);
  });

  test('answers a ping that nests deeply, before connection_init', async () => {
    await using other = await startApp();
    const socket = await openRawSocket(other.url);
    socket.send(`{"type":"ping","payload":{"n":${nested(90_000)}}}`);
    await socket.inbox.when((all) => all.length > 0);
    expect(socket.texts).toEqual(['{"type":"pong"}']);
  });

  test('selects graphql-transport-ws among several subprotocols', async () => {
    const socket = await openRawSocket(app.url, { protocols: ['graphql-ws', 'graphql-transport-ws'] });
    await socket.init();
    expect(socket.inbox.all).toEqual([{ type: 'connection_ack' }]);
  });

  test('may complete an unknown or finished operation', async () => {
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.send({ type: 'complete', id: 'nothing' });
    socket.subscribe('a', '{ __typename }');
    await socket.waitForEnd('a');
    socket.send({ type: 'complete', id: 'a' });
    socket.subscribe('a', '{ __typename }');
    const all = await socket.inbox.when((soFar) => soFar.length === 5);
    expect(all.slice(1).map(({ type }) => type)).toEqual(['next', 'complete', 'next', 'complete']);
  });

  test('may use names of JavaScript properties as ids', async () => {
    const socket = await openRawSocket(app.url);
    await socket.init();
    for (const id of ['__proto__', 'constructor', 'toString']) {
      socket.subscribe(id, '{ __typename }');
      expect((await socket.waitForEnd(id)).map(({ type }) => type)).toEqual(['next', 'complete']);
    }
  });

  test('receives nothing more of a completed operation', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('a', `subscription { chatEvents(id: "${id}") { sequence } }`);
    await socket.waitForMessage('a');
    socket.send({ type: 'complete', id: 'a' });
    socket.subscribe('b', '{ __typename }');
    await socket.waitForEnd('b');
    const other = toEnd(chatEvents(app.wsClient(), { id }));
    exchange.send(...words('unheard'), '[DONE]');
    await other;
    socket.subscribe('c', '{ __typename }');
    await socket.waitForEnd('c');
    expect(socket.inbox.all.filter((message) => message.id === 'a')).toHaveLength(1);
  });
});

describe('an upgrade request', () => {
  test.each(['/', '/graphql/', '/metrics'])(
    'is answered with 404 at %s, and its connection closes',
    async (path) => {
      const reply = await handshake(app.app.url, path);
      expect(reply).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    },
  );

  test('with another version or method is answered with an HTTP error', async () => {
    expect(await handshake(app.app.url, '/graphql', { version: '99' })).toMatch(/^HTTP\/1\.1 400 /);
    expect(await handshake(app.app.url, '/graphql', { method: 'POST' })).toMatch(/^HTTP\/1\.1 405 /);
  });
});

/** The server's answer to a handshake. The client does not close the connection. */
function handshake(
  base: string,
  path: string,
  { version = '13', method = 'GET' }: { readonly version?: string; readonly method?: string } = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.once('error', reject).once('end', () => resolve(text));
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: ${version}\r\n\r\n`,
  );
  return promise;
}
