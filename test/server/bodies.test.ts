import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { arrivalGraceMs } from '../../src/server/admission/arrival-deadline.ts';
import { largeChars } from '../../src/lib/json-size.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { createFolder } from '../support/files.ts';
import { codeOf, postJson, sendRequest } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const json = { 'content-type': 'application/json' };
const megabyte = 1_048_576;

interface Half {
  readonly outgoing: ClientRequest;
  /** The status of the reply, or 'cut'. */
  readonly answered: Promise<number | 'cut'>;
  /** Its body is not read. */
  readonly reply: Promise<IncomingMessage>;
}

/** Starts a request and sends this much of a body that never ends. */
async function sendHalf(
  app: TestApp,
  sizeBytes: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Half> {
  const outgoing = httpRequest(app.url, { method: 'POST', headers: { ...json, ...headers }, agent: false });
  onTestFinished(() => void outgoing.destroy());
  const { promise: answered, resolve } = Promise.withResolvers<number | 'cut'>();
  const { promise: reply, resolve: resolveReply } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', (response) => {
    resolve(response.statusCode ?? 0);
    resolveReply(response);
  });
  outgoing.on('error', () => resolve('cut'));
  await new Promise((done) => outgoing.write(Buffer.alloc(sizeBytes, ' '), done));
  return { outgoing, answered, reply };
}

/** Runs a query with variables of this size. */
function postLarge(app: TestApp, sizeBytes: number, headers: Readonly<Record<string, string>>) {
  const variables = { text: 'x'.repeat(sizeBytes) };
  return postJson(app.url, { query: '{ voices(first: 1) { totalCount } }', variables }, headers);
}

describe('bodies that never end', () => {
  test('have a limit for all connections of an address, and leave room for accepted callers', async () => {
    const limit = 16 * megabyte;
    await using app = await startApp({
      env: { MAX_RECEIVED_BYTES: String(limit), MAX_BODY_BYTES: '1500000' },
    });
    expect(await postLarge(app, 10, sandboxKey)).toMatchObject({ status: 200 });
    const halves = await Promise.all(Array.from({ length: 40 }, () => sendHalf(app, 0.9 * megabyte)));
    const statuses: (number | 'cut')[] = [];
    for (const { answered } of halves) void answered.then((status) => statuses.push(status));
    // A quarter of the total is four of them.
    await expect.poll(() => statuses.length).toBe(36);
    expect(statuses.filter((status) => status !== 429 && status !== 'cut')).toEqual([]);
    expect(await postLarge(app, 1.4 * megabyte, sandboxKey)).toMatchObject({ status: 200 });
  });

  test('are refused when they arrive too slowly', async () => {
    const clock = createManualClock();
    await using app = await startApp({ overrides: { clientClock: clock } });
    const { answered, reply } = await sendHalf(app, 8192);
    await clock.waitForTimer(arrivalGraceMs);
    clock.advance(arrivalGraceMs);
    clock.advance(2000);
    expect(await answered).toBe(408);
    // On a better connection, the same request succeeds.
    expect(await text(await reply)).toContain('"code":"REQUEST_TIMEOUT","retry":"LATER"');
  });

  test('are refused then also if the system clock is set back meanwhile', async () => {
    const clock = createManualClock();
    await using app = await startApp({ overrides: { clientClock: clock } });
    const { answered } = await sendHalf(app, 8192);
    await clock.waitForTimer(arrivalGraceMs);
    clock.step(-3_600_000);
    clock.advance(arrivalGraceMs);
    clock.advance(2000);
    expect(await answered).toBe(408);
  });
});

test('a body that exceeds MAX_RECEIVED_BYTES alone is refused for good', async () => {
  await using app = await startApp({ env: { MAX_RECEIVED_BYTES: String(megabyte) } });
  const reply = await postLarge(app, 1.2 * megabyte, sandboxKey);
  expect([reply.status, codeOf(reply.json)]).toEqual([413, 'LIMIT_EXCEEDED']);
  const socket = await openRawSocket(app.url);
  await socket.init();
  socket.send({ type: 'ping', payload: { text: 'x'.repeat(1.2 * megabyte) } });
  expect((await socket.closed).code).toBe(1009);
});

test.each([
  ['of the largest body', {}, 4_106_000],
  ['of the largest file', { FILES: 'folder', MAX_FILE_BYTES: '81920000' }, 10_010_000],
  [
    'that Node can measure',
    {
      FILES: 'folder',
      MAX_FILE_BYTES: '40000000000',
      MAX_FILE_BYTES_PER_OWNER: '40000000000',
      MAX_FILE_BYTES_IN_ALL: '40000000000',
    },
    2 ** 32 - 1,
  ],
])('a request may take as long as the slowest arrival %s', async (_what, env, longestMs) => {
  const started = Promise.withResolvers<Pick<Server, 'requestTimeout' | 'headersTimeout'>>();
  const onStart = (message: unknown): void => started.resolve((message as { server: Server }).server);
  await using app = await startApp({
    env: { ...env, ...('FILES' in env && { FILES_DIR: await createFolder() }) },
  });
  subscribe('http.server.request.start', onStart);
  onTestFinished(() => void unsubscribe('http.server.request.start', onStart));
  await sendRequest(`${app.app.url}/health/live`);
  expect(await started.promise).toMatchObject({ requestTimeout: longestMs, headersTimeout: 30_000 });
});

test.each([0, 1.1 * largeChars])(
  'a body of %d bytes that is not UTF-8 is refused, so that no text is paid for that the client did not send',
  async (size) => {
    await using app = await startApp();
    const query = `mutation ($text: String!) {
      startChat(input: { model: "gpt-4o", messages: [{ role: USER, content: { text: $text } }] }) { __typename }
    }`;
    const [start = '', end = ''] = JSON.stringify({ query, variables: { text: 'Café' } }).split('Café');
    const send = (text: Buffer) =>
      sendRequest(app.url, {
        headers: { ...json, ...sandboxKey },
        body: [Buffer.from(start), text, Buffer.from(end + ' '.repeat(size))],
      });
    // As a client does whose default is ISO 8859-1.
    const refused = await send(Buffer.from('Café', 'latin1'));
    expect([refused.status, codeOf(refused.json)]).toEqual([400, 'BAD_REQUEST']);
    expect(refused.text).toContain('not valid JSON in UTF-8');
    expect((await send(Buffer.from('Café'))).text).toContain('"Generation"');
    expect(app.sandbox.activity.count('/v1/chat/completions')).toBe(1);
  },
);

describe('a body without a credential', () => {
  test('is refused at MAX_ANONYMOUS_BODY_BYTES, while it arrives', async () => {
    await using app = await startApp();
    const { answered } = await sendHalf(app, 1.2 * megabyte);
    expect([413, 'cut']).toContain(await answered);
    const reply = await sendRequest(app.url, { headers: json, body: [Buffer.alloc(1.2 * megabyte, ' ')] });
    expect(reply.status).toBe(413);
    expect(codeOf(reply.json)).toBe('LIMIT_EXCEEDED');
    expect(await postLarge(app, 1.2 * megabyte, sandboxKey)).toMatchObject({ status: 200 });
  });
});

interface Fragments {
  send(text: string): void;
  readonly closed: Promise<number>;
}

/** A WebSocket that sends a message in fragments. */
async function openFragments(app: TestApp, connectionParams: object): Promise<Fragments> {
  const socket = new WebSocket(app.url.replace('http', 'ws'), ['graphql-transport-ws']);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  socket.on('close', resolve);
  await new Promise((opened) => socket.once('open', opened));
  socket.send(JSON.stringify({ type: 'connection_init', payload: connectionParams }));
  await new Promise((acknowledged) => socket.once('message', acknowledged));
  return { send: (text) => socket.send(text, { fin: false }), closed };
}

describe('the fragments of a WebSocket message', () => {
  const piece = 'x'.repeat(100_000);

  test('have the limit of a body without a credential', async () => {
    await using app = await startApp();
    const socket = await openFragments(app, {});
    for (let index = 0; index < 11; index += 1) socket.send(piece);
    expect(await socket.closed).toBe(1009);
  });

  test('have a limit for all sockets of an address', async () => {
    await using app = await startApp({
      env: { MAX_RECEIVED_BYTES: String(4 * megabyte), MAX_BODY_BYTES: '1024000' },
    });
    const sockets = await Promise.all(Array.from({ length: 3 }, () => openFragments(app, sandboxKey)));
    for (const socket of sockets) for (let index = 0; index < 4; index += 1) socket.send(piece);
    const codes = await Promise.race(sockets.map(({ closed }) => closed));
    expect(codes).toBe(1013);
  });

  test('close the socket when they arrive too slowly', async () => {
    const clock = createManualClock();
    await using app = await startApp({ overrides: { clientClock: clock } });
    const socket = await openFragments(app, sandboxKey);
    // The idle timer of the socket has the same delay.
    const before = clock.pending(arrivalGraceMs);
    socket.send('{"type":');
    await expect.poll(() => clock.pending(arrivalGraceMs)).toBe(before + 1);
    clock.advance(arrivalGraceMs + 1000);
    expect(await socket.closed).toBe(1006);
  });
});
