import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { sandboxKey, startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { sendEvents, startFakeGateway } from '../support/fake-gateway.ts';
import { postJson, sendRequest } from '../support/http.ts';
import { openRawSocket } from '../support/raw-socket.ts';

// With characters that JSON and addresses spell in other ways.
const secret = 'sk-se"cret/0123456789';
const caller = { authorization: `Bearer ${secret}`, 'new-api-user': '1' };
const spellings = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), '0123456789'];

type Echo = (response: ServerResponse, request: IncomingMessage) => void;

function json(status: number, body: object): Echo {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Ways in which gateways, and proxies before them, repeat what they were sent. */
const echoes: Readonly<Record<string, Echo>> = {
  'a refusal with message, code and type': json(401, {
    error: { message: `Incorrect API key provided: ${secret}.`, code: `bad:${secret}`, type: secret },
  }),
  'a quota message under 403': json(403, {
    error: { message: `quota of ${secret} used up`, code: 'insufficient_quota' },
  }),
  'a rate limit': json(429, { message: `slow down, ${secret}`, code: 429 }),
  'details as data': json(422, { detail: [{ loc: ['header'], input: secret }] }),
  'a long message': json(500, { error: { message: `${'x'.repeat(980)} ${secret}` } }),
  'plain text': (response, { headers }) =>
    void response.writeHead(500).end(`You sent ${headers.authorization}.`),
  'an address': (response) =>
    void response.writeHead(400).end(`bad request: /x?key=${encodeURIComponent(secret)}`),
  'a page': (response) => void response.writeHead(502).end(`<html>${secret}</html>`),
  'a content type': (response) => void response.writeHead(500, { 'content-type': secret }).end('<'),
  'a failure under 200': json(200, { success: false, message: `no channel for ${secret}` }),
  'no JSON under 200': (response) => void response.writeHead(200).end(secret),
  'an error in a stream': (response) =>
    sendEvents(response, [{ choices: [] }, { error: { message: secret, code: secret } }]),
  'rubbish in a stream': (response) => sendEvents(response, [`{"${secret}`]),
  'a cut': (response) => void response.socket?.destroy(),
  'a time-out of its proxy': (response) => void response.writeHead(504).end(secret),
};

const input = '{model: "m", messages: [{role: USER, content: {text: "Hello"}}]}';
const failure =
  '__typename ... on GengraphError { code message } ... on GatewayError { upstreamCode } ... on AuthenticationError { upstreamCode }';
const created = `${failure} ... on Generation { id status error { code message upstreamCode } }`;
const operations = [
  `mutation { startChat(input: ${input}) { ${created} } }`,
  `mutation { createChatCompletion(input: ${input}) { ${created} } }`,
  `mutation { createToken(input: {name: "t", quota: {amount: 1}}) { ${failure} } }`,
  '{ voices { edges { cursor } } }',
  '{ voice(id: "voice_WyJwcmVzZXQiLCJ4Il0") { id } }',
  `subscription { chat(input: ${input}, idempotencyKey: "k") { sequence ... on ChatFailed { error { ${failure} } } } }`,
];

/** Everything that clients and log are told while all of it fails. */
async function runAll(app: TestApp): Promise<readonly string[]> {
  const told: string[] = [];
  for (const query of operations) {
    const reply = await postJson(
      app.url,
      { query },
      { ...caller, accept: 'application/json, text/event-stream' },
    );
    told.push(reply.text, JSON.stringify(reply.headers));
    const socket = await openRawSocket(app.url);
    await socket.init({ Authorization: caller.authorization, 'new-api-user': '1' });
    socket.subscribe('a', { query, extensions: { headers: caller } });
    await socket.whenOver('a');
    told.push(JSON.stringify(socket.inbox.all));
    socket.terminate();
  }
  const listed = await postJson(
    app.url,
    { query: '{ generations { edges { node { id error { message upstreamCode } } } } }' },
    caller,
  );
  return [...told, listed.text];
}

/** Reads are retried at once; all else that waits is longer than any of these tests. */
const impatientClock: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs < 5000 ? 0 : delayMs, callback),
};

interface Logged extends AsyncDisposable {
  readonly app: TestApp;
  readonly log: readonly string[];
  /** What is kept of it, as bytes that read as text. */
  readKept(): readonly string[];
}

async function startLogged(options: TestAppOptions): Promise<Logged> {
  const log: string[] = [];
  const directory = await createDirectory();
  const app = await startApp({
    ...options,
    env: { DATA_DIR: directory },
    onLog: (line) => void log.push(JSON.stringify(line)),
  });
  return {
    app,
    log,
    readKept: () => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1')),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

function expectNoSecret(texts: readonly string[]): void {
  for (const text of texts) {
    for (const spelling of spellings) expect(text).not.toContain(spelling);
  }
}

describe('a credential is in no reply, in no line of the log and in no record', () => {
  test.each(Object.entries(echoes))('though the gateway repeats it in %s', async (_name, echo) => {
    const gateway = await startFakeGateway((request, response) => echo(response, request));
    await using logged = await startLogged({ gatewayUrl: gateway.url, overrides: { clock: impatientClock } });
    const told = await runAll(logged.app);
    expect(gateway.requests.length).toBeGreaterThan(operations.length);
    expect(logged.log.length).toBeGreaterThan(operations.length);
    const kept = logged.readKept();
    // What is kept can be read, hence what is not found is not there.
    expect(kept.join()).toContain('CREATE TABLE');
    expectNoSecret([...told, ...logged.log, ...kept]);
  });

  test('though the gateway cannot be reached', async () => {
    await using logged = await startLogged({
      gatewayUrl: 'http://127.0.0.1:1',
      overrides: { clock: impatientClock },
    });
    const told = await runAll(logged.app);
    expect(told.join()).toContain('The gateway could not be reached');
    expectNoSecret([...told, ...logged.log]);
  });

  test('though the server itself fails', async () => {
    let hasStarted = false;
    const now = (): number => {
      if (hasStarted) throw new Error('no time');
      return systemClock.now();
    };
    await using logged = await startLogged({ overrides: { clock: { ...systemClock, now } } });
    hasStarted = true;
    const told = await runAll(logged.app);
    expect(told.join()).toContain('INTERNAL');
    expect(logged.log.some((line) => line.includes('no time'))).toBe(true);
    expectNoSecret([...told, ...logged.log]);
  });

  test('though a request cannot be read', async () => {
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

test('what the log says of operations is who asked for what, and never a prompt', async () => {
  await using logged = await startLogged({});
  const { app, log } = logged;
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'a most private matter' } }] };
  const query =
    'mutation Ask($input: ChatInput!) { createChatCompletion(input: $input) { ... on Generation { id } } }';
  await postJson(app.url, { query, variables: { input } }, { ...sandboxKey, 'x-request-id': 'one' });
  const socket = await openRawSocket(app.url);
  await socket.init();
  socket.subscribe('a', { query, operationName: 'Ask', variables: { input } });
  await socket.whenOver('a');
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
