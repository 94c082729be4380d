import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import { codeOf, postJson, sendRequest } from '../../support/http.ts';

const maxBytes = 100_000;
const log: Readonly<Record<string, unknown>>[] = [];
let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp({ env: { MAX_BODY_BYTES: String(maxBytes) }, onLog: (line) => void log.push(line) });
});
afterAll(() => app[Symbol.asyncDispose]());

const typeName = { query: '{ __typename }' };
const json = { 'content-type': 'application/json' };

test.each(['h2c', 'h2c, websocket', 'TLS/1.0'])(
  'a POST that offers to upgrade to %s is answered as it is',
  async (upgrade) => {
    const headers = { ...json, connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAMAAABk' };
    const reply = await sendRequest(app.url, { headers, body: JSON.stringify(typeName) });
    expect(reply).toMatchObject({ status: 200, json: { data: { __typename: 'Query' } } });
  },
);

test.each(['Application/JSON', 'APPLICATION/JSON; Charset=UTF-8', 'application/json ; charset=utf-8'])(
  'a POST as %s is JSON, as media types have no case',
  async (contentType) => {
    for (const path of ['', '?yoga']) {
      const headers = { 'content-type': contentType };
      const body = JSON.stringify(typeName);
      expect(await sendRequest(`${app.url}${path}`, { headers, body })).toMatchObject({
        status: 200,
        json: { data: { __typename: 'Query' } },
      });
    }
  },
);

describe('a POST is rejected', () => {
  test.each([
    ['application/x-www-form-urlencoded', 'query=%7B__typename%7D'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{}\r\n--x--',
    ],
    ['text/plain', JSON.stringify(typeName)],
    ['application/graphql', '{ __typename }'],
    ['application/json-seq', JSON.stringify(typeName)],
    ['text/plain, application/json', JSON.stringify(typeName)],
  ])('as %s with 415, because any page can send that', async (contentType, body) => {
    const reply = await sendRequest(app.url, { headers: { 'content-type': contentType }, body });
    expect(reply.status).toBe(415);
    expect(codeOf(reply.json)).toBe('BAD_REQUEST');
  });

  test('without a content type with 415', async () => {
    expect((await sendRequest(app.url, { body: JSON.stringify(typeName) })).status).toBe(415);
  });

  test.each([
    [
      'is larger than MAX_BODY_BYTES',
      JSON.stringify({ ...typeName, variables: { a: 'x'.repeat(maxBytes) } }),
    ],
    [
      'exceeds that without content-length',
      [Buffer.from('{"query":"'), ...Array.from({ length: 11 }, () => Buffer.alloc(maxBytes / 10, 'x'))],
    ],
  ])('with 413 when it %s', async (_how, body) => {
    const reply = await sendRequest(app.url, { method: 'POST', headers: json, body });
    expect(reply.status).toBe(413);
    expect(codeOf(reply.json)).toBe('LIMIT_EXCEEDED');
  });

  test.each([
    ['invalid JSON', '{"query": '],
    ['blank', ' '],
    ['a JSON string', '"{ __typename }"'],
    ['null', 'null'],
    ['a batch', JSON.stringify([typeName, typeName])],
    ['an empty batch', '[]'],
    ['a query that is not a string', JSON.stringify({ query: 7 })],
    ['variables that are not an object', JSON.stringify({ ...typeName, variables: [1] })],
    ['extensions that are not an object', JSON.stringify({ ...typeName, extensions: 'x' })],
    ['a member of another protocol', JSON.stringify({ ...typeName, id: 'a' })],
    ['compressed bytes', '\u001f\u008b\u0008'],
  ])('with 400 when its body is %s', async (_what, body) => {
    const reply = await sendRequest(app.url, { headers: json, body });
    expect(reply.status).toBe(400);
    expect(codeOf(reply.json)).toBe('BAD_REQUEST');
    expect(Object.keys(reply.json.errors?.[0]?.extensions ?? {})).toEqual(['code', 'retry', 'requestId']);
  });

  test('without quoting the malformed body', async () => {
    const reply = await sendRequest(app.url, {
      headers: json,
      body: `{"query": "${'private '.repeat(1000)}`,
    });
    expect(reply.status).toBe(400);
    expect(reply.text).not.toContain('private');
  });
});

describe('a GET', () => {
  test.each(['variables', 'extensions'])('with %s that are not JSON is 400', async (name) => {
    const search = new URLSearchParams({ ...typeName, [name]: '{x' });
    const reply = await sendRequest(`${app.url}?${search}`);
    expect(reply.status).toBe(400);
    expect(codeOf(reply.json)).toBe('BAD_REQUEST');
  });

  test.each(['{ generations { totalCount } }', '{ unknown }'])(
    'is kept by no cache, because callers name themselves in headers that caches do not know: %s',
    async (query) => {
      const headers = { token: 'sk-sandbox', 'x-end-user': 'ann' };
      const reply = await sendRequest(`${app.url}?${new URLSearchParams({ query })}`, { headers });
      expect(reply.headers['cache-control']).toBe('no-store');
    },
  );

  test('without a query is BAD_REQUEST', async () => {
    expect(codeOf((await sendRequest(app.url)).json)).toBe('BAD_REQUEST');
  });
});

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s is 405', async (method) => {
  const reply = await sendRequest(app.url, { method });
  expect(reply.status).toBe(405);
  expect(reply.headers['allow']).toBe('GET, POST');
});

test.each(['/nothing', '/graphql/', '/graphql/x', '/health', '//example.com/graphql', '/%00'])(
  '%s is 404 with a JSON body',
  async (path) => {
    const reply = await sendRequest(app.app.url + path);
    expect(reply.status).toBe(404);
    expect(codeOf(reply.json)).toBe('BAD_REQUEST');
  },
);

test('the health endpoints report liveness and readiness', async () => {
  expect((await sendRequest(`${app.app.url}/health/live`)).text).toBe('{"status":"live"}');
  expect((await sendRequest(`${app.app.url}/health/ready`)).text).toBe('{"status":"ready"}');
});

test.each([
  ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
  ['a program', 'application/json', 'application/json; charset=utf-8'],
  ['curl', '*/*', 'application/json; charset=utf-8'],
])('GET /graphql serves %s by its Accept header', async (_who, accept, contentType) => {
  const reply = await sendRequest(app.url, { headers: { accept } });
  expect(reply.headers['content-type']).toBe(contentType);
});

describe('the request id', () => {
  const names = ['abc-1', 'A.b:c_9', 'x'.repeat(100)];

  test.each(names)('"%s" is returned, logged and sent to the gateway', async (requestId) => {
    const headers = {
      authorization: 'Bearer sk-sandbox',
      'x-end-user': requestId,
      'x-request-id': requestId,
    };
    const reply = await postJson(app.url, { query: '{ voices { edges { cursor } } }' }, headers);
    expect(reply.headers['x-request-id']).toBe(requestId);
    const lines = log.filter((line) => line['requestId'] === requestId);
    expect(lines).toMatchObject([
      { msg: 'gateway request', method: 'GET', endpoint: '/videoa/v1/general/presets-voices', status: 200 },
      { msg: 'operation', transport: 'http', operationType: 'query', owner: expect.any(String) },
      { msg: 'request', method: 'POST', path: '/graphql', status: 200, address: '127.0.0.1' },
    ]);
    expect(app.sandbox.activity.requests().at(-1)?.headers['x-request-id']).toBe(requestId);
  });

  test.each(['', 'a b', '"quoted"', '<b>', 'x'.repeat(101), '\u00fc', '{"level":60}'])(
    '"%s" is replaced by a generated one',
    async (requestId) => {
      const reply = await postJson(app.url, typeName, { 'x-request-id': requestId });
      expect(reply.headers['x-request-id']).toMatch(/^request_[\w-]{20}$/);
    },
  );
});

describe('malformed HTTP', () => {
  test.each([
    ['plain text', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000', /^HTTP\/1\.1 400 /],
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['an invalid Host', 'GET /graphql HTTP/1.1\r\nHost: a b"<\r\n\r\n', /^HTTP\/1\.1 400 [^]*BAD_REQUEST/],
    [
      'an oversized header',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    [
      'conflicting lengths',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a negative length',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a body that ends early',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query"',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'invalid percent-encoding',
      'GET /graphql?query=%E0%A4%A HTTP/1.1\r\nHost: x\r\n\r\n',
      /^HTTP\/1\.1 [24]00 /,
    ],
  ])('(%s) gets an answer, and the server keeps running', async (_what, request, answer) => {
    expect(await exchange(request)).toMatch(answer);
    expect((await postJson(app.url, typeName)).status).toBe(200);
    expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

/** Sends bytes and half-closes. Returns everything until the server closes. */
function exchange(request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket
    .once('error', (error) => (text === '' ? reject(error) : resolve(text)))
    .once('end', () => resolve(text));
  socket.end(Buffer.from(request, 'latin1'));
  return promise;
}
