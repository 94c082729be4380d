import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import { exchangeBytes, type RawRequest, toBytes } from '../../support/raw-http.ts';

/**
 * Sends each request to `/graphql`, where a JSON POST is answered directly, and with a query string, which only Yoga handles.
 * Both replies must be the same bytes, except the date.
 */

const log: Readonly<Record<string, unknown>>[] = [];
let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp({
    // Event streams keep their connection open.
    env: { MAX_BODY_BYTES: '160000', CORS_ORIGINS: 'https://page.example', KEEP_ALIVE_SECONDS: '1' },
    onLog: (line) => void log.push(line),
  });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => void log.splice(0));

const voices = '{ voices(first: 2) { edges { node { id name } } } }';
const credential = { authorization: 'Bearer sk-sandbox' };

function yogaLines(): number {
  return log.filter(({ msg }) => msg === 'Parsing request to extract GraphQL parameters').length;
}

/** The reply, which is the same both ways. */
async function compare(request: RawRequest): Promise<{ reply: string; isDirect: boolean }> {
  const reply = await exchangeBytes(app, toBytes('/graphql', request));
  const isDirect = yogaLines() === 0;
  expect(await exchangeBytes(app, toBytes('/graphql?yoga', request))).toBe(reply);
  return { reply, isDirect };
}

async function answerDirectly(request: RawRequest): Promise<string> {
  const { reply, isDirect } = await compare(request);
  expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(isDirect).toBe(true);
  expect(yogaLines()).toBe(1);
  return reply;
}

describe('a JSON POST is answered directly, as Yoga does', () => {
  const query = '{ __typename }';
  test.each<[string, unknown]>([
    ['a query', { query }],
    ['a query of the gateway', { query: voices }],
    [
      'variables',
      {
        query: 'query ($first: Int) { voices(first: $first) { edges { node { id } } } }',
        variables: { first: 1 },
      },
    ],
    ['null members', { query, variables: null, operationName: null, extensions: null }],
    ['extensions', { query, extensions: { persistedQuery: { version: 1 } } }],
    [
      'an operation name',
      { query: 'query A { a: __typename } query B { b: __typename }', operationName: 'B' },
    ],
    ['blanks around', `\r\n {"query": "${query}"} \t`],
    ['escapes', '{"query": "\\u007b \\u0061b: __typename }"}'],
    ['repeated members', '{"query": "{ nothing }", "query": "{ __typename }"}'],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a mutation', { query: 'mutation { __typename }' }],
    [
      'characters of several bytes',
      { query: '{ __type(name: "ü€😀") { name } usageTotals { __typename } }' },
    ],
    [
      'an integer beyond 2^53',
      '{"query": "query ($n: [ID!]!) { tasks(ids: $n) { id } }", "variables": {"n": []}, "extensions": {"a": 9007199254740993}}',
    ],
  ])('(%s)', async (_what, body) => {
    expect(await answerDirectly({ headers: credential, body })).toContain('{"data":{');
  });

  test.each([
    '',
    '*/*',
    'application/*',
    '*/json',
    'application/json',
    'application/graphql-response+json',
    'application/graphql-response+json, application/json;q=0.9',
    'application/json, application/graphql-response+json',
    'application/graphql-response+json; charset=utf-8',
    'APPLICATION/JSON ; Charset=UTF-8',
    'text/html;charset=latin1, application/json',
    'application/json; charset=utf-8; q=0.1, */*',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    'multipart/mixed;deferSpec=20220824,application/json',
    'application/json/x',
    ',,application/json',
  ])('with Accept: %s', async (accept) => {
    expect(await answerDirectly({ headers: { accept }, body: { query } })).toContain('{"data":{');
  });

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset=latin1',
    'application/json; charset=utf-8, text/plain',
    'application/graphql+json',
  ])('with Content-Type: %s', async (contentType) => {
    expect(await answerDirectly({ headers: { 'content-type': contentType }, body: { query } })).toContain(
      '{"data":{',
    );
  });

  test('with repeated and unusual headers', async () => {
    const headers = {
      accept: ['text/plain', 'application/json'],
      host: 'SERVER.example:4000',
      origin: 'https://page.example',
      'x-forwarded-for': '10.0.0.1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    const reply = await answerDirectly({ headers: { ...credential, ...headers }, body: { query: voices } });
    expect(reply).toContain('access-control-allow-origin: https://page.example');
    expect(reply).toContain('x-request-id: request-1\r\n');
  });

  test('with a chunked body', async () => {
    const body = JSON.stringify({ query });
    const chunks = `5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
    const bytes = (path: string): Buffer =>
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`,
      );
    const reply = await exchangeBytes(app, bytes('/graphql'));
    expect(yogaLines()).toBe(0);
    expect(reply).toContain('{"data":{"__typename":"Query"}}');
    expect(await exchangeBytes(app, bytes('/graphql?yoga'))).toBe(reply);
  });

  test('to HTTP/1.0', async () => {
    expect(await answerDirectly({ version: '1.0', body: { query } })).toContain('{"data":{');
  });

  test('in order, to requests that share a connection', async () => {
    const bodies = [voices, query, '{ nothing }', voices, '{ voices }', query];
    const all = (path: string): Buffer =>
      Buffer.concat(
        bodies.map((text, index) => {
          const connection = index === bodies.length - 1 ? 'close' : 'keep-alive';
          return toBytes(path, {
            headers: { ...credential, connection, 'x-request-id': `request-${index}` },
            body: { query: text },
          });
        }),
      );
    const replies = await exchangeBytes(app, all('/graphql'));
    expect(yogaLines()).toBe(0);
    expect(replies.match(/^x-request-id: request-\d/gm)).toHaveLength(bodies.length);
    expect(await exchangeBytes(app, all('/graphql?yoga'))).toBe(replies);
  });

  test('with an answer of many bytes', async () => {
    const many = '{ voices(first: 50) { edges { cursor node { id voiceId name language gender raw } } } }';
    const aliases = Array.from({ length: 5 }, (_, index) => `a${index}: ${many.slice(2, -2)}`);
    const reply = await answerDirectly({ headers: credential, body: { query: `{ ${aliases.join(' ')} }` } });
    expect(reply.length).toBeGreaterThan(50_000);
  });
});

describe('an error is answered directly, as Yoga does,', () => {
  const query = '{ __typename }';
  test.each<[string, RawRequest, number]>([
    ['a syntax error', { body: { query: '{ a' } }, 200],
    [
      'a syntax error for the newer media type',
      { headers: { accept: 'application/graphql-response+json' }, body: { query: '{' } },
      400,
    ],
    ['an empty query', { body: { query: '' } }, 200],
    ['an unknown field', { body: { query: '{ nothing }' } }, 200],
    [
      'an unknown field for the newer media type',
      { headers: { accept: 'application/graphql-response+json' }, body: { query: '{ nothing }' } },
      400,
    ],
    ['an unknown operation', { body: { query, operationName: 'Other' } }, 200],
    ['an empty operation name', { body: { query, operationName: '' } }, 200],
    ['a document without operation', { body: { query: 'fragment F on Query { __typename }' } }, 200],
    ['a missing variable', { body: { query: 'query ($id: ID!) { node(id: $id) { id } }' } }, 200],
    [
      'a variable of another type',
      { body: { query: 'query ($id: ID!) { node(id: $id) { id } }', variables: { id: {} } } },
      200,
    ],
    [
      'too many variables',
      { body: { query, variables: { a: Array.from({ length: 51_000 }, () => 0) } } },
      200,
    ],
    [
      'too many records',
      {
        headers: credential,
        body: {
          query: `{ ${Array.from({ length: 110 }, (_, i) => `a${i}: generations(first: 100) { edges { node { id } } }`).join(' ')} }`,
        },
      },
      200,
    ],
    ['a document too deep', { body: { query: `{ ${'a { '.repeat(600)}` } }, 200],
    ['an operation without credential', { body: { query: voices } }, 200],
    [
      'an operation without credential, newer media type',
      { headers: { accept: 'application/graphql-response+json' }, body: { query: voices } },
      200,
    ],
    [
      'an unusable identity',
      { headers: { ...credential, 'x-end-user': 'x'.repeat(501) }, body: { query } },
      400,
    ],
    [
      'a partial result',
      {
        headers: credential,
        body: { query: '{ __typename generations(first: 1000) { edges { cursor } } }' },
      },
      200,
    ],
    [
      'a variable of another type, newer media type',
      {
        headers: { accept: 'application/graphql-response+json' },
        body: { query: 'query ($id: ID!) { node(id: $id) { id } }', variables: { id: {} } },
      },
      400,
    ],
    [
      'too many records for the newer media type',
      {
        headers: { ...credential, accept: 'application/graphql-response+json' },
        body: {
          query: `{ ${Array.from({ length: 110 }, (_, i) => `a${i}: generations(first: 100) { edges { node { id } } }`).join(' ')} }`,
        },
      },
      400,
    ],
    ['a document by an id, which this server does not take', { body: { documentId: 'sha256:0' } }, 200],
    [
      'a document by an id, newer media type',
      { headers: { accept: 'application/graphql-response+json' }, body: { documentId: 'sha256:0' } },
      400,
    ],
    [
      'an unusable identity, newer media type',
      {
        headers: {
          ...credential,
          accept: 'application/graphql-response+json',
          'x-end-user': 'x'.repeat(501),
        },
        body: { query },
      },
      400,
    ],
  ])('%s', async (_what, request, status) => {
    const { reply, isDirect } = await compare(request);
    expect(Number(reply.slice(9, 12))).toBe(status);
    expect(reply).toContain('{"errors":[{');
    expect(isDirect).toBe(true);
  });
});

describe('Yoga answers, with the same bytes at both addresses,', () => {
  const query = '{ __typename }';
  test.each<[string, RawRequest, number]>([
    ['an operation name that is a number', { body: { query, operationName: 7 } }, 200],
    ['a query without a JSON type', { headers: { accept: 'text/plain' }, body: { query } }, 406],
    ['a query as an event stream', { headers: { accept: 'text/event-stream' }, body: { query } }, 200],
    [
      'a query of another charset',
      { headers: { accept: 'application/json; charset=latin1' }, body: { query } },
      406,
    ],
    ['a subscription', { body: { query: 'subscription { chatEvents(id: "x") { sequence } }' } }, 200],
    [
      'a subscription for JSON only',
      {
        headers: { accept: 'application/json' },
        body: { query: 'subscription { chatEvents(id: "x") { sequence } }' },
      },
      406,
    ],
    ['malformed JSON', { body: '{"query": ' }, 400],
    ['a byte order mark', { body: `\u{feff}${JSON.stringify({ query })}` }, 400],
    ['blanks only', { body: ' ' }, 400],
    ['no body', { body: '' }, 400],
    ['null', { body: 'null' }, 400],
    ['text', { body: '"{ __typename }"' }, 400],
    ['a batch', { body: [{ query }, { query }] }, 400],
    ['an empty batch', { body: [] }, 400],
    ['a query that is a number', { body: { query: 7 } }, 400],
    ['no query', { body: {} }, 200],
    ['a null query', { body: { query: null, extensions: {} } }, 200],
    ['variables that are a list', { body: { query, variables: [1] } }, 400],
    ['variables that are text', { body: { query, variables: '{}' } }, 400],
    ['extensions that are text', { body: { query, extensions: 'x' } }, 400],
    ['a member of another protocol', { body: { query, id: 'a' } }, 400],
    ['a member named __proto__', { body: '{"query": "{ __typename }", "__proto__": {}}' }, 400],
    ['bytes that are not UTF-8', { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }, 400],
    [
      'compressed bytes',
      { headers: { 'content-encoding': 'gzip' }, body: Buffer.from([0x1f, 0x8b, 8]) },
      415,
    ],
    ['another content type', { headers: { 'content-type': 'text/plain' }, body: { query } }, 415],
    ['a form', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' }, 415],
    ['a body over the limit', { body: { query, variables: { a: 'x'.repeat(160_000) } } }, 413],
    ['an invalid host', { headers: { host: 'a b' }, body: { query } }, 400],
    ['a host of an invalid address', { headers: { host: '999.1.1.1' }, body: { query } }, 400],
    ['OPTIONS', { method: 'OPTIONS', body: '' }, 405],
    [
      'a preflight',
      {
        method: 'OPTIONS',
        headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
        body: '',
      },
      204,
    ],
    ['PUT', { method: 'PUT', body: { query } }, 405],
    ['HEAD', { method: 'HEAD', body: '' }, 405],
  ])('%s', async (_what, request, status) => {
    const { reply, isDirect } = await compare(request);
    expect(Number(reply.slice(9, 12))).toBe(status);
    expect(isDirect && status === 200).toBe(false);
  });

  test('a null member of another protocol, as a query without it', async () => {
    const { reply } = await compare({ body: { query, id: null } });
    expect(reply).toContain('{"data":{"__typename":"Query"}}');
  });
});
