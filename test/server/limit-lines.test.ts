import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { apiAt, sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { ask, startChat, startChatQuery, streamChat, toEnd } from '../support/chats.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { postJson } from '../support/http.ts';
import { createInbox } from '../support/inbox.ts';
import { levels, type Line, refusing, startLogged } from '../support/logged-app.ts';

const { info, warn } = levels;

describe('an operation that a limit or a rule refuses before it runs has a line', () => {
  let app: TestApp & AsyncDisposable;
  const lines = createInbox<Line>();
  const nested = `{ voices { edges { node { id ${'a:id '.repeat(20_000)} } } } }`;
  beforeAll(async () => {
    app = await startApp({ env: { TRUST_PROXY: '1' }, onLog: (line) => lines.push(line) });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const codesOver = async (address: string): Promise<readonly Line[]> => {
    const isOurs = (line: Line): boolean => line['address'] === address && line['msg'] === 'operation';
    return (await lines.when((all) => all.some(isOurs))).filter(isOurs);
  };

  test.each([
    ['LIMIT_EXCEEDED', nested, warn, '192.0.2.1'],
    ['GRAPHQL_PARSE_FAILED', '{', info, '192.0.2.2'],
    ['GRAPHQL_VALIDATION_FAILED', '{ nothing }', info, '192.0.2.3'],
  ])('over HTTP: %s', async (code, query, level, address) => {
    const headers = { ...sandboxKey, 'x-forwarded-for': address };
    await postJson(app.url, { query, operationName: null }, headers);
    expect(await codesOver(address)).toMatchObject([{ codes: [code], level, transport: 'http', address }]);
  });

  test.each([
    ['LIMIT_EXCEEDED', nested, warn, '192.0.2.4'],
    ['GRAPHQL_PARSE_FAILED', '{', info, '192.0.2.5'],
    ['GRAPHQL_VALIDATION_FAILED', '{ nothing }', info, '192.0.2.6'],
  ])('over WebSocket: %s', async (code, query, level, address) => {
    class Forwarded extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers: { 'x-forwarded-for': address } });
      }
    }
    const client = apiAt(app.url).wsClient({ webSocketImpl: Forwarded });
    await expect(client.iterate({ query }).next()).rejects.toBeDefined();
    expect(await codesOver(address)).toMatchObject([
      { codes: [code], level, transport: 'websocket', owner: expect.any(String), address },
    ]);
  });
});

describe('when the operations of one owner exceed their limit', () => {
  const env = {
    MAX_OPERATIONS_PER_OWNER: '1',
    MAX_OPERATIONS_PER_SOCKET: '1',
    MAX_OPEN_PER_OWNER: '1',
    MAX_OPEN_PER_SOCKET: '1',
    METRICS_ON_MAIN_PORT: 'true',
  };

  test.each(['http', 'websocket'] as const)(
    'those that are refused have a warning, and those that wait are counted, over %s',
    async (transport) => {
      const released = Promise.withResolvers<void>();
      const gateway = await startFakeGateway(async (_request, response) => {
        await released.promise;
        sendJson(response, '{"choices":[]}');
      });
      const { app, lines, operation } = await startLogged({ env, gatewayUrl: gateway.url });
      const client = app.wsClient();
      const call = { query: startChatQuery, variables: { input: ask('Hello') } };
      const start = async (): Promise<unknown> =>
        transport === 'http' ? app.run(call.query, call.variables) : client.iterate(call).next();
      // One runs, one may become a long-running one, four wait. The others are refused.
      const all = Array.from({ length: 8 }, () => start().catch(() => {}));
      expect(await operation('RATE_LIMITED')).toMatchObject({
        level: warn,
        transport,
        address: '127.0.0.1',
        owner: expect.any(String),
        reason: expect.stringContaining('Too many operations of this caller are waiting'),
        limit: transport === 'http' ? 'MAX_OPERATIONS_PER_OWNER' : 'MAX_OPERATIONS_PER_SOCKET',
      });
      released.resolve();
      await Promise.all(all);
      const isWaited = ({ waitedFor }: Line): boolean => waitedFor !== undefined;
      const waitedLines = await lines.when((each) => each.some(isWaited));
      expect(waitedLines.find(isWaited)).toMatchObject({
        waitedMs: expect.any(Number),
        waitedFor: transport === 'http' ? 'MAX_OPERATIONS_PER_OWNER' : 'MAX_OPERATIONS_PER_SOCKET',
      });
      const text = await (await fetch(app.url.replace('/graphql', '/metrics'))).text();
      const [, waited] = /^gengraph_admission_wait_count(?:\{\})? (\d+)/m.exec(text) ?? [];
      expect(Number(waited)).toBeGreaterThanOrEqual(4);
    },
  );
});

test('a create that a limit of its owner refuses is a warning that names the limit, on both transports', async () => {
  const { app, lines } = await startLogged({ env: { MAX_CREATES_PER_MINUTE_PER_OWNER: '1' } });
  await startChat(app, { input: ask('Hello') });
  await startChat(app, { input: ask('Hello') });
  await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
  const refusals = lines.all.filter(({ msg, codes }) => msg === 'operation' && codes !== undefined);
  expect(refusals).toMatchObject(
    ['http', 'websocket'].map((transport) => ({
      level: warn,
      transport,
      codes: ['RATE_LIMITED'],
      reason: 'CREATES_PER_MINUTE',
      limit: 'CREATES_PER_MINUTE',
    })),
  );
  expect(lines.all.filter(({ level }) => Number(level) >= warn)).toEqual(refusals);
});

test.each([
  ['websocket', 'MAX_OPEN_PER_SOCKET'],
  ['sse', 'MAX_OPEN_PER_OWNER'],
] as const)('a subscription that %s refuses names the limit %s', async (transport, setting) => {
  const { app, operation } = await startLogged({ env: { [setting]: '1' } });
  const client = transport === 'sse' ? app.sseClient() : app.wsClient();
  const query = 'subscription Watch { generationChanged { __typename } }';
  for (let index = 0; index < 2; index += 1)
    void client
      .iterate({ query })
      .next()
      .catch(() => {});
  expect(await operation('RATE_LIMITED')).toMatchObject({
    level: warn,
    transport,
    operationName: 'Watch',
    reason: expect.stringContaining('Too many subscriptions'),
    limit: setting,
  });
});

test('a refusal of the gateway has no reason, and its line says when to retry', async () => {
  const gateway = await refusing(429, { 'retry-after': '60' });
  const { app, operation, named } = await startLogged({ gatewayUrl: gateway.url });
  await app.run('query Voices { voices { edges { node { id } } } }');
  const line = await operation('RATE_LIMITED');
  expect(line).toMatchObject({ level: warn, operationName: 'Voices' });
  expect([line['reason'], line['limit']]).toEqual([undefined, undefined]);
  expect(await named('gateway request')).toMatchObject({ level: warn, status: 429, retryAfter: '60' });
});

test('a request for an unknown address names the reason', async () => {
  const { app, named } = await startLogged();
  await fetch(new URL('/nothing', app.url));
  const refusal = { code: 'BAD_REQUEST', reason: 'Not found. The API is at /graphql.' };
  expect(await named('request')).toMatchObject({ level: info, status: 404, ...refusal });
});

describe('a request that is too large names the limit', () => {
  const env = { MAX_BODY_BYTES: '4096', MAX_ANONYMOUS_BODY_BYTES: '1024' };
  const reason = expect.stringContaining('The request body is larger than');

  test('by its length', async () => {
    const { app, named } = await startLogged({ env });
    await postJson(app.url, { query: `{ ${'a'.repeat(5000)} }` }, sandboxKey);
    const refusal = { code: 'LIMIT_EXCEEDED', reason, limit: 'MAX_BODY_BYTES' };
    expect(await named('request')).toMatchObject({ level: info, status: 413, ...refusal });
  });

  test('by what has arrived of it', async () => {
    const { app, operation } = await startLogged({ env });
    await postJson(app.url, { query: `{ ${'a'.repeat(2000)} }` });
    expect(await operation('LIMIT_EXCEEDED')).toMatchObject({ reason, limit: 'MAX_ANONYMOUS_BODY_BYTES' });
  });
});

test('a WebSocket that a limit refuses has a warning that names the limit', async () => {
  const { app, named } = await startLogged({ env: { MAX_SOCKETS: '1' } });
  const url = app.url.replace('http', 'ws');
  const sockets = Array.from({ length: 2 }, () => new WebSocket(url, 'graphql-transport-ws'));
  for (const socket of sockets) socket.on('error', () => {});
  expect(await named('websocket refused')).toMatchObject({ level: warn, status: 503, limit: 'MAX_SOCKETS' });
  for (const socket of sockets) socket.terminate();
});
