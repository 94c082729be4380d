import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Clock, createSystemClock } from '../../src/lib/clock.ts';
import { sandboxKey, startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { addEmptyTables } from '../support/empty-tables.ts';
import { sendEvents, sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { postJson, sendRequest } from '../support/http.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const systemClock = createSystemClock();

// Contains characters that JSON and URLs escape.
const secret = 'sk-se"cret/0123456789';
const caller = { authorization: `Bearer ${secret}`, 'new-api-user': '1' };
const spellings = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), '0123456789'];

type Echo = (response: ServerResponse, request: IncomingMessage) => void;

function json(status: number, body: object): Echo {
  return (response) => sendJson(response, body, status);
}

/** Replies in which gateways and proxies echo parts of the request. */
const echoes: Readonly<Record<string, Echo>> = {
  'a refusal with message, code and type': json(401, {
    error: { message: `Incorrect API key provided: ${secret}.`, code: `bad:${secret}`, type: secret },
  }),
  'a quota message under 403': json(403, {
    error: { message: `quota of ${secret} used up`, code: 'insufficient_quota' },
  }),
  'a rate limit': json(429, { message: `slow down, ${secret}`, code: 429 }),
  'structured details': json(422, { detail: [{ loc: ['header'], input: secret }] }),
  'a long message': json(500, { error: { message: `${'x'.repeat(980)} ${secret}` } }),
  'plain text': (response, { headers }) =>
    void response.writeHead(500).end(`You sent ${headers.authorization}.`),
  'an address': (response) =>
    void response.writeHead(400).end(`bad request: /x?key=${encodeURIComponent(secret)}`),
  'a page': (response) => void response.writeHead(502).end(`<html>${secret}</html>`),
  'a content type': (response) => void response.writeHead(500, { 'content-type': secret }).end('<'),
  'a failure under 200': json(200, { success: false, message: `no channel for ${secret}` }),
  'invalid JSON under 200': (response) => void response.writeHead(200).end(secret),
  'an error in a stream': (response) =>
    sendEvents(response, [{ choices: [] }, { error: { message: secret, code: secret } }]),
  'garbage in a stream': (response) => sendEvents(response, [`{"${secret}`]),
  'a cut': (response) => void response.socket?.destroy(),
  'a proxy timeout': (response) => void response.writeHead(504).end(secret),
};

const input = '{model: "m", messages: [{role: USER, content: {text: "Hello"}}]}';
const failure =
  '__typename ... on GengraphError { code message } ... on GatewayError { upstreamCode } ... on AuthenticationError { upstreamCode }';
const created = `${failure} ... on Generation { id status error { code message upstreamCode } }`;
const operations = [
  `mutation { startChat(input: ${input}) { ${created} } }`,
  `mutation { createChatCompletion(input: ${input}) { ${created} } }`,
  `mutation { createAccessToken(input: {name: "t", quota: {amount: 1}}) { ${failure} } }`,
  '{ voices { edges { cursor } } }',
  '{ voice(id: "voice_WyJwcmVzZXQiLCJ4Il0") { id } }',
  `subscription { streamChat(input: ${input}, idempotencyKey: "k") { sequence ... on ChatFailed { error { ${failure} } } } }`,
];

/** Runs all operations while the gateway fails. Returns everything that clients receive. */
async function runAll(app: TestApp): Promise<readonly string[]> {
  const replies: string[] = [];
  for (const query of operations) {
    const reply = await postJson(
      app.url,
      { query },
      { ...caller, accept: 'application/json, text/event-stream' },
    );
    replies.push(reply.text, JSON.stringify(reply.headers));
    const socket = await openRawSocket(app.url);
    await socket.init({ Authorization: caller.authorization, 'new-api-user': '1' });
    socket.subscribe('a', { query, extensions: { headers: caller } });
    await socket.waitForEnd('a');
    replies.push(JSON.stringify(socket.inbox.all));
    socket.terminate();
  }
  const listed = await postJson(
    app.url,
    { query: '{ generations { edges { node { id error { message upstreamCode } } } } }' },
    caller,
  );
  return [...replies, listed.text];
}

/** Retries reads immediately. All other timers are longer than these tests. */
const impatientClock: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs < 5000 ? 0 : delayMs, callback),
};

interface Logged extends AsyncDisposable {
  readonly app: TestApp;
  readonly log: readonly string[];
  /** The database files, decoded as latin1. */
  readRecords(): readonly string[];
}

async function startLogged(options: TestAppOptions): Promise<Logged> {
  const log: string[] = [];
  const directory = await createDirectory();
  await addEmptyTables(directory);
  const app = await startApp({
    ...options,
    env: { DATA_DIR: directory },
    onLog: (line) => void log.push(JSON.stringify(line)),
  });
  return {
    app,
    log,
    readRecords: () => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1')),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

function expectNoSecret(texts: readonly string[]): void {
  for (const text of texts) {
    for (const spelling of spellings) expect(text).not.toContain(spelling);
  }
}

describe('no reply, log line or record contains a credential', () => {
  test.each(Object.entries(echoes))('if the gateway echoes it in %s', async (_name, echo) => {
    const gateway = await startFakeGateway((request, response) => echo(response, request));
    await using logged = await startLogged({ gatewayUrl: gateway.url, overrides: { clock: impatientClock } });
    const replies = await runAll(logged.app);
    expect(gateway.requests.length).toBeGreaterThan(operations.length);
    expect(logged.log.length).toBeGreaterThan(operations.length);
    const records = logged.readRecords();
    // Checks that the text of records is readable, so that a missing secret is really absent.
    expect(records.join()).toContain('CREATE TABLE');
    expectNoSecret([...replies, ...logged.log, ...records]);
  });

  test('if the gateway cannot be reached', async () => {
    await using logged = await startLogged({
      gatewayUrl: 'http://127.0.0.1:1',
      overrides: { clock: impatientClock },
    });
    const replies = await runAll(logged.app);
    expect(replies.join()).toContain('The gateway could not be reached');
    expectNoSecret([...replies, ...logged.log]);
  });

  test('if the server itself fails', async () => {
    let hasStarted = false;
    const now = (): number => {
      if (hasStarted) throw new Error('no time');
      return systemClock.now();
    };
    await using logged = await startLogged({ overrides: { clock: { ...systemClock, now } } });
    hasStarted = true;
    const replies = await runAll(logged.app);
    expect(replies.join()).toContain('INTERNAL');
    expect(logged.log.some((line) => line.includes('no time'))).toBe(true);
    expectNoSecret([...replies, ...logged.log]);
  });

  test('if a request is malformed', async () => {
    await using logged = await startLogged({});
    const { url } = logged.app;
    const replies = [
      await postJson(url, `{"query": "${secret}`, caller),
      await postJson(url, `"${'x'.repeat(100)}${secret}`, caller),
      await postJson(url, { query: '{ nothing }', [secret]: 1 }, caller).then((reply) => ({
        ...reply,
        text: '',
      })),
      await sendRequest(`${url}?query={__typename}&variables=${encodeURIComponent(`{"a":${secret}`)}`, {
        headers: caller,
      }),
      await sendRequest(`${url}?key=${encodeURIComponent(secret)}`, { headers: caller }),
      await sendRequest(`${logged.app.app.url}/nothing?key=${encodeURIComponent(secret)}`, {
        headers: caller,
      }),
      await sendRequest(url, { headers: { ...caller, 'content-type': 'text/plain' }, body: secret }),
    ];
    const socket = await openRawSocket(url, { headers: caller });
    await socket.init({ token: secret });
    socket.send(`{"${secret}`);
    await socket.closed;
    expect(replies.every(({ status }) => status >= 400 || status === 200)).toBe(true);
    expectNoSecret([...replies.map(({ text }) => text), ...logged.log]);
  });
});

test('the log contains request ids and operation names, but no prompt', async () => {
  await using logged = await startLogged({});
  const { app, log } = logged;
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'a most private matter' } }] };
  const query =
    'mutation Ask($input: ChatInput!) { createChatCompletion(input: $input) { ... on Generation { id } } }';
  await postJson(app.url, { query, variables: { input } }, { ...sandboxKey, 'x-request-id': 'one' });
  const socket = await openRawSocket(app.url);
  await socket.init();
  socket.subscribe('a', { query, operationName: 'Ask', variables: { input } });
  await socket.waitForEnd('a');
  expect(log.join('\n')).not.toContain('private matter');
  const requests = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(requests).toContainEqual(
    expect.objectContaining({
      requestId: 'one',
      method: 'POST',
      path: '/graphql',
      status: 200,
      msg: 'request',
    }),
  );
  expect(requests).toContainEqual(expect.objectContaining({ operationName: 'Ask', operationId: 'a' }));
});
