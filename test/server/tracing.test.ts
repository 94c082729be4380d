import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createReportingExporter } from '../../src/tracing/reporting-exporter.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { ask, chatEvents, createChatCompletion, made, startChat, toEnd } from '../support/chats.ts';
import { startFederation } from '../support/federation/federation.ts';
import { startHiveGateway } from '../support/federation/hive-gateway.ts';
import { postJson } from '../support/http.ts';
import { createInbox } from '../support/inbox.ts';
import { factsOf, startReceiver } from '../support/otlp-receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const other = traceparent.replace('00f067aa0ba902b7', '00f067aa0ba902b8');
const tracestate = 'vendor=1';
const chatPath = '/v1/chat/completions';
const voicesPath = '/videoa/v1/general/presets-voices';
const voices = '{ voices(first: 1) { edges { cursor } } }';

test('a trace context is propagated to the gateway, from HTTP headers, connectionParams and upgrade headers', async () => {
  await using app = await startApp();
  const sent = (path: string) => {
    const { headers } = app.sandbox.activity.requests(path).at(-1) ?? {};
    return [headers?.['traceparent'], headers?.['tracestate']];
  };
  await postJson(app.url, { query: voices }, { ...sandboxKey, traceparent, tracestate });
  expect(sent(voicesPath)).toEqual([traceparent, tracestate]);
  const client = app.wsClient({ connectionParams: { ...sandboxKey, traceparent } });
  const query = `mutation ($input: ChatInput!) { startChat(input: $input) { ... on Generation { id } } }`;
  for await (const { errors } of client.iterate({ query, variables: { input: ask('Hello') } }))
    expect(errors).toBeUndefined();
  expect(sent(chatPath)).toEqual([traceparent, undefined]);
  class Upgrading extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { headers: { ...sandboxKey, traceparent: other } });
    }
  }
  const upgraded = app.wsClient({ connectionParams: {}, webSocketImpl: Upgrading });
  for await (const { errors } of upgraded.iterate({ query, variables: { input: ask('Hello') } }))
    expect(errors).toBeUndefined();
  expect(sent(chatPath)).toEqual([other, undefined]);
  await using federation = await startFederation();
  await using gateway = await startHiveGateway(federation.supergraph, { credential: 'header' });
  const routed = { ...sandboxKey, traceparent };
  await postJson(gateway.url, { query: voices }, routed);
  const [request] = federation.app.sandbox.activity.requests(voicesPath);
  expect(request?.headers['traceparent']).toBe(traceparent);
});

test.each([
  '',
  'x',
  traceparent.replace(traceId, '0'.repeat(32)),
  `ff${traceparent.slice(2)}`,
  `${traceparent}-1`,
])('an invalid trace context ("%s") is not propagated', async (value) => {
  await using app = await startApp();
  await postJson(app.url, { query: voices }, { ...sandboxKey, traceparent: value, tracestate });
  const [request] = app.sandbox.activity.requests(voicesPath);
  expect(request).toBeDefined();
  expect([request?.headers['traceparent'], request?.headers['tracestate']]).toEqual([undefined, undefined]);
});

test('operations and their gateway requests are spans of one trace, without secrets', async () => {
  const receiver = await startReceiver();
  await using app = await startApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` } });
  const headers = { ...sandboxKey, traceparent, tracestate };
  const { json } = await postJson(app.url, { query: `query Voices ${voices}` }, headers);
  expect(json.errors).toBeUndefined();
  await postJson(app.url, { query: '{ generations { edges { cursor } } }' }, { traceparent });
  const { id } = made(await startChat(app, { input: ask('A secret prompt') }));
  const client = app.wsClient({ connectionParams: { ...sandboxKey, traceparent } });
  await toEnd(chatEvents(client, { id }));
  await client.dispose();
  await app.app.close();

  const [server, request] = ['query Voices', `GET ${voicesPath}`].map((name) =>
    receiver.spans.find((span) => span.name === name),
  );
  if (!server || !request) throw new Error(JSON.stringify(receiver.spans));
  expect(server).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 2 });
  expect(request).toMatchObject({ traceId, parentSpanId: server.spanId, kind: 3 });
  expect(factsOf(request)).toMatchObject({
    'http.request.method': 'GET',
    'url.path': voicesPath,
    'http.response.status_code': 200,
  });
  const [sentRequest] = app.sandbox.activity.requests(voicesPath);
  expect(sentRequest?.headers['traceparent']).toBe(`00-${traceId}-${request.spanId}-01`);
  expect(sentRequest?.headers['tracestate']).toBe(tracestate);

  const refused = receiver.spans.find(({ name }) => name === 'query');
  expect(refused).toMatchObject({ traceId, status: { code: 2 } });
  expect(refused && factsOf(refused)).toMatchObject({ 'error.type': 'UNAUTHENTICATED' });
  const subscription = receiver.spans.find(({ name }) => name === 'subscription ChatEvents');
  expect(subscription).toMatchObject({ traceId });
  expect(subscription && factsOf(subscription)).toMatchObject({ 'gengraph.transport': 'websocket' });
  const chat = receiver.spans.find((span) => factsOf(span)['url.path'] === chatPath);
  const create = receiver.spans.find(({ name }) => name === 'mutation Create');
  const generation = receiver.spans.find(({ name }) => name === 'chat gpt-4o');
  expect(chat).toMatchObject({ name: `POST ${chatPath}`, parentSpanId: generation?.spanId });
  expect(generation).toMatchObject({ parentSpanId: create?.spanId });
  expect(receiver.bodies.join('')).not.toMatch(/sk-sandbox|secret prompt/);
});

test('an unreachable receiver does no harm and is logged', async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  const url = 'http://127.0.0.1:9/v1/traces';
  await using app = await startApp({
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url },
    onLog: (line) => lines.push(line),
  });
  expect(made(await createChatCompletion(app, { input: ask('Hello') })).status).toBe('SUCCEEDED');
  await app.app.close();
  await lines.when(() => lines.all.some(({ level }) => Number(level) >= 40));
  const warnings = lines.all.filter(({ level }) => Number(level) >= 40);
  expect(warnings).toMatchObject([{ level: 40, url, msg: expect.stringMatching(/^could not send spans/) }]);
});

test('each change between failing and working exports is reported once', () => {
  const reported: string[] = [];
  const codes = [0, 1, 1, 0, 0, 1];
  const exporter = createReportingExporter(
    {
      export: (_spans, done) => done({ code: codes.shift() ?? 0, error: new Error('refused') }),
      shutdown: async () => {},
    },
    {
      onFailing: (error) => reported.push(`failing: ${error?.message}`),
      onWorking: () => reported.push('working'),
    },
  );
  const results: number[] = [];
  for (let batch = 0; batch < 6; batch += 1) exporter.export([], ({ code }) => results.push(code));
  expect(reported).toEqual(['failing: refused', 'working', 'failing: refused']);
  expect(results).toEqual([0, 1, 1, 0, 0, 1]);
});
