import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { ask, startChatQuery } from '../support/chats.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { postJson } from '../support/http.ts';
import { factsOf, type SentSpan, startReceiver } from '../support/otlp-receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentSpanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentSpanId}-01`;
const headers = { ...sandboxKey, traceparent };
const events = { accept: 'text/event-stream' };

interface TracedOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly gatewayUrl?: string;
}

/** A server whose spans are complete after `close`. */
async function startTraced({ env, ...options }: TracedOptions = {}) {
  const receiver = await startReceiver();
  const app = await startApp({ ...options, env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const close = async (): Promise<readonly SentSpan[]> => {
    await app.app.close();
    expect(receiver.bodies.join('')).not.toMatch(/secretName|sk-sandbox/);
    return receiver.spans;
  };
  return { app, close };
}

function subscribeWith(app: TestApp, payload: { readonly query: string; readonly documentId?: string }) {
  const client = app.wsClient({ connectionParams: headers });
  return client
    .iterate(payload)
    .next()
    .catch(() => {});
}

const summaryOf = (span: SentSpan) => ({
  name: span.name,
  type: factsOf(span)['graphql.operation.type'],
  code: factsOf(span)['error.type'],
  transport: factsOf(span)['gengraph.transport'],
});

describe('an operation that is refused before it runs has one span with its code, of the trace of its client', () => {
  const unknown = { name: 'GraphQL Operation', type: undefined };
  const refused = [
    [
      'a document that cannot be parsed',
      { query: '{ secretName' },
      { ...unknown, code: 'GRAPHQL_PARSE_FAILED' },
    ],
    [
      'an invalid document',
      { query: 'mutation secretName { secretName }' },
      { name: 'mutation', type: 'mutation', code: 'GRAPHQL_VALIDATION_FAILED' },
    ],
    [
      'an unknown document',
      { query: '', documentId: 'sha256:secretName' },
      { ...unknown, code: 'PERSISTED_DOCUMENT_NOT_FOUND' },
    ],
    [
      'a document that costs too much',
      { query: `{ voices { edges { node { id ${'a:id '.repeat(20_000)} } } } }` },
      { code: 'LIMIT_EXCEEDED' },
    ],
  ] as const;

  test.each(refused)('over HTTP, SSE and WebSocket: %s', async (_what, payload, expected) => {
    const { app, close } = await startTraced({ env: { TRUSTED_DOCUMENTS: 'allow' } });
    await postJson(app.url, payload, headers);
    await postJson(app.url, payload, { ...headers, ...events });
    await subscribeWith(app, payload);
    const spans = await close();
    expect(spans.map(summaryOf)).toMatchObject(
      ['http', 'sse', 'websocket'].map((transport) => ({ ...expected, transport })),
    );
    for (const span of spans)
      expect(span).toMatchObject({ traceId, parentSpanId, kind: 2, status: { code: 2 }, links: [] });
  });

  test('over HTTP and WebSocket: a token that cannot be verified', async () => {
    const env = {
      AUTH: 'jwt',
      AUTH_JWT_SECRET: 'a secret of more than 32 characters',
      AUTH_ISSUER: 'https://issuer.example',
      AUTH_AUDIENCE: 'gengraph',
      GATEWAY_API_KEY: 'sk-of-the-server',
    };
    const { app, close } = await startTraced({ env });
    const credential = { authorization: 'Bearer a.b.c', traceparent };
    const query = 'query Viewer { viewer { __typename } }';
    await postJson(app.url, { query }, credential);
    const client = app.wsClient({ connectionParams: credential });
    await client
      .iterate({ query })
      .next()
      .catch(() => {});
    expect((await close()).map(summaryOf)).toMatchObject(
      ['http', 'websocket'].map((transport) => ({ name: 'query', code: 'UNAUTHENTICATED', transport })),
    );
  });

  test.each(['http', 'websocket'])(
    'over %s: those beyond the limit of waiting operations',
    async (transport) => {
      const released = Promise.withResolvers<void>();
      const gateway = await startFakeGateway(async (_request, response) => {
        await released.promise;
        sendJson(response, '{"choices":[]}');
      });
      const env = {
        MAX_OPERATIONS_PER_OWNER: '1',
        MAX_OPERATIONS_PER_SOCKET: '1',
        MAX_OPEN_PER_OWNER: '1',
        MAX_OPEN_PER_SOCKET: '1',
      };
      const { app, close } = await startTraced({ env, gatewayUrl: gateway.url });
      const client = app.wsClient({ connectionParams: headers });
      const call = { query: startChatQuery, variables: { input: ask('Hello') } };
      const refusal = Promise.withResolvers<void>();
      const run = async (): Promise<void> => {
        const answer: unknown =
          transport === 'http'
            ? (await postJson(app.url, call, headers)).json
            : await client
                .iterate(call)
                .next()
                .catch((errors: unknown) => ({ errors }));
        if (JSON.stringify(answer).includes('RATE_LIMITED')) refusal.resolve();
      };
      const all = Array.from({ length: 8 }, run);
      await refusal.promise;
      released.resolve();
      await Promise.all(all);
      const spans = (await close()).map(summaryOf);
      expect(spans).toContainEqual({ ...unknown, code: 'RATE_LIMITED', transport });
      const operations = spans.filter(({ transport: of }) => of !== undefined);
      expect(operations).toHaveLength(8);
    },
  );

  test.each(['sse', 'websocket'])(
    'over %s: a subscription beyond the limit of open ones',
    async (transport) => {
      const setting = transport === 'sse' ? 'MAX_OPEN_PER_OWNER' : 'MAX_OPEN_PER_SOCKET';
      const { app, close } = await startTraced({ env: { [setting]: '1' } });
      const client = transport === 'sse' ? app.sseClient() : app.wsClient();
      const query = 'subscription Watch { generationChanged { __typename } }';
      const ended = [1, 2].map(() =>
        client
          .iterate({ query })
          .next()
          .then(
            () => {},
            () => {},
          ),
      );
      await Promise.race(ended);
      void client.dispose();
      const spans = (await close()).map(summaryOf);
      expect(spans).toContainEqual({
        name: 'subscription Watch',
        type: 'subscription',
        code: 'RATE_LIMITED',
        transport,
      });
      expect(spans).toHaveLength(2);
    },
  );
});

describe('a request that contains no operation has a span with its code', () => {
  const send = async (
    url: string,
    init: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  ): Promise<void> => {
    const { body: text, headers: own } = init;
    await (await fetch(url, { method: 'POST', body: text, headers: { ...headers, ...own } })).text();
  };
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: 'mutation { deleteGenerations(ids: []) { count } }' });

  test.each([
    ['too large, by its length', { body: body.padEnd(5000), headers: json }, 'LIMIT_EXCEEDED'],
    ['not JSON', { body: '{', headers: json }, 'BAD_REQUEST'],
    ['a form', { body, headers: { 'content-type': 'text/plain' } }, 'BAD_REQUEST'],
    [
      'of a media type that is never sent',
      { body, headers: { ...json, accept: 'image/png' } },
      'BAD_REQUEST',
    ],
  ])('%s', async (_what, init, code) => {
    const { app, close } = await startTraced({
      env: { MAX_BODY_BYTES: '4096', MAX_ANONYMOUS_BODY_BYTES: '4096' },
    });
    await send(app.url, init);
    const spans = await close();
    expect(spans.map(summaryOf)).toEqual([
      { name: 'GraphQL Operation', type: undefined, code, transport: 'http' },
    ]);
    expect(spans).toMatchObject([{ traceId, parentSpanId }]);
  });

  test('by what has arrived of it', async () => {
    const { app, close } = await startTraced({ env: { MAX_ANONYMOUS_BODY_BYTES: '1024' } });
    await postJson(app.url, { query: `{ ${'a'.repeat(2000)} }` });
    expect((await close()).map(summaryOf)).toMatchObject([{ code: 'LIMIT_EXCEEDED', transport: 'http' }]);
  });

  test('too large, over WebSocket', async () => {
    const { app, close } = await startTraced({
      env: { MAX_BODY_BYTES: '4096', MAX_ANONYMOUS_BODY_BYTES: '4096' },
    });
    const socket = new WebSocket(app.url.replace('http', 'ws'), 'graphql-transport-ws');
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { padding: 'a'.repeat(5000) } }));
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await close()).map(summaryOf)).toMatchObject([
      { code: 'LIMIT_EXCEEDED', transport: 'websocket' },
    ]);
  });

  test('the page of GraphiQL and other paths have none', async () => {
    const { app, close } = await startTraced();
    await fetch(app.url, { headers: { accept: 'text/html' } });
    await fetch(app.url, { method: 'OPTIONS' });
    await fetch(new URL('/health/ready', app.url));
    await fetch(new URL('/nothing', app.url));
    await postJson(app.url, { query: '{ __typename }' }, headers);
    expect((await close()).map(summaryOf)).toMatchObject([{ name: 'query', code: undefined }]);
  });
});
