import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_STREAM,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GRAPHQL_OPERATION_NAME,
  ATTR_GRAPHQL_OPERATION_TYPE,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
  ATTR_URL_FULL,
  ATTR_URL_PATH,
  ATTR_URL_TEMPLATE,
} from '@opentelemetry/semantic-conventions/incubating';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { expect, test } from 'vitest';
import { startApp, type TestAppOptions } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  made,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { sendRequest } from '../support/http.ts';
import { factsOf, type SentSpan, startReceiver } from '../support/otlp-receiver.ts';

const [server, client] = [2, 3];
const failed = { code: 2 };

/** The attributes that OpenTelemetry's conventions require of each kind of span, and those required if they apply. */
const required = {
  graphql: { kind: server, always: [ATTR_GRAPHQL_OPERATION_TYPE], ifKnown: [ATTR_GRAPHQL_OPERATION_NAME] },
  http: {
    kind: client,
    always: [
      ATTR_HTTP_REQUEST_METHOD,
      ATTR_SERVER_ADDRESS,
      ATTR_SERVER_PORT,
      ATTR_URL_FULL,
      ATTR_URL_TEMPLATE,
    ],
    ifKnown: [ATTR_HTTP_RESPONSE_STATUS_CODE, ATTR_ERROR_TYPE, ATTR_URL_PATH],
  },
  generation: {
    kind: client,
    always: [ATTR_GEN_AI_OPERATION_NAME, ATTR_GEN_AI_PROVIDER_NAME],
    ifKnown: [
      ATTR_GEN_AI_REQUEST_MODEL,
      ATTR_GEN_AI_REQUEST_STREAM,
      ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
      ATTR_GEN_AI_RESPONSE_ID,
      ATTR_GEN_AI_RESPONSE_MODEL,
      ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
      ATTR_GEN_AI_USAGE_INPUT_TOKENS,
      ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
      ATTR_ERROR_TYPE,
    ],
  },
} as const;

function typeOf(span: SentSpan): keyof typeof required {
  const facts = factsOf(span);
  if (ATTR_GRAPHQL_OPERATION_TYPE in facts) return 'graphql';
  return ATTR_GEN_AI_OPERATION_NAME in facts ? 'generation' : 'http';
}

const of =
  (type: keyof typeof required) =>
  (span: SentSpan): boolean =>
    typeOf(span) === type;

async function startTraced(options: TestAppOptions = {}) {
  const receiver = await startReceiver();
  const env = { ...options.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const app = await startApp({ ...options, env });
  return { app, receiver, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const content = `mutation {
  generateContent(input: { model: "gemini-2.0-flash", contents: [{ parts: [{ text: "a secret prompt" }] }] }) {
    __typename
  }
}`;

test('every span has the attributes that the conventions require, under names that they define', async () => {
  await using traced = await startTraced();
  const { app, receiver } = traced;
  await toEnd(streamChat(app.wsClient(), { input: ask('a secret prompt') }));
  await app.run('query Voices { voices(first: 1) { edges { cursor } } }');
  await app.run(content);
  await app.run('mutation { queueImage(input: { prompt: "a secret prompt" }) { __typename } }');
  await startChat(app, { input: ask('a secret prompt', { temperature: 9 }) });
  await app.app.close();
  const { spans } = receiver;
  const types = new Set(spans.map(typeOf));
  expect(types).toEqual(new Set(['graphql', 'http', 'generation']));
  const known = new Set<unknown>(Object.values(conventions));
  for (const span of spans) {
    const { kind, always } = required[typeOf(span)];
    const names = Object.keys(factsOf(span));
    expect(span.kind).toBe(kind);
    expect(names).toEqual(expect.arrayContaining([...always]));
    expect(names.filter((name) => !known.has(name) && !name.startsWith('gengraph.'))).toEqual([]);
  }
  for (const type of types) {
    const names = new Set(spans.filter(of(type)).flatMap((span) => Object.keys(factsOf(span))));
    const missing = required[type].ifKnown.filter((name) => !names.has(name) && name !== ATTR_ERROR_TYPE);
    expect([type, missing]).toEqual([type, []]);
  }
  expect(receiver.bodies.join('')).not.toMatch(/secret prompt|sk-sandbox/);
  const templates = spans.filter(of('http')).map((span) => [span.name, factsOf(span)[ATTR_URL_TEMPLATE]]);
  for (const [name = '', template] of templates)
    expect(['GET', 'POST']).toContain(String(name).replace(` ${String(template)}`, ''));
  const endpoints = ['/v1beta/models/{id}:generateContent', '/v1/chat/completions', '/hostb/flux-lora'];
  expect(templates.map(([, template]) => template)).toEqual(expect.arrayContaining(endpoints));
  const urls = spans.filter(of('http')).map((span) => String(factsOf(span)[ATTR_URL_FULL]));
  expect(urls).toContain(`${app.sandbox.url}/v1beta/models/gemini-2.0-flash:generateContent?key=REDACTED`);
});

test('a stream has a span from its request to its end, with its first token', async () => {
  await using traced = await startTraced();
  const { app, receiver } = traced;
  await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
  await app.app.close();
  const operation = receiver.spans.find(({ name }) => name === 'subscription StreamChat');
  const stream = receiver.spans.find(({ name }) => name === 'chat gpt-4o');
  const request = receiver.spans.find(({ name }) => name === 'POST /v1/chat/completions');
  expect([stream?.parentSpanId, request?.parentSpanId]).toEqual([operation?.spanId, stream?.spanId]);
  expect(stream && factsOf(stream)).toMatchObject({
    'gengraph.generation.status': 'SUCCEEDED',
    [ATTR_GEN_AI_REQUEST_STREAM]: true,
  });
  const [event] = stream?.events ?? [];
  expect(event?.name).toBe('first_token');
  expect(BigInt(event?.timeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(stream?.startTimeUnixNano ?? 1));
});

test('the span of a generation names the reply: its model, its id, and why it ended', async () => {
  const replies = [
    {
      id: 'chatcmpl-1',
      model: 'gpt-4o-2024-08-06',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' },
        { index: 1, message: { role: 'assistant', content: 'b' }, finish_reason: 'length' },
      ],
    },
    {
      responseId: 'content-1',
      modelVersion: 'gemini-2.0-flash-001',
      candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }],
    },
    { status: 'IN_QUEUE', request_id: 'task-1' },
  ];
  const gateway = await startFakeGateway((_request, response) => sendJson(response, replies.shift()));
  await using traced = await startTraced({ gatewayUrl: gateway.url });
  const { app, receiver } = traced;
  await createChatCompletion(app, { input: ask('Hello') });
  await app.run(content);
  await app.run('mutation { queueImage(input: { prompt: "x" }) { __typename } }');
  await app.app.close();
  const named = receiver.spans.filter(of('generation')).map((span) => {
    const facts = factsOf(span);
    const reasons = facts[ATTR_GEN_AI_RESPONSE_FINISH_REASONS] as
      | { values: readonly { stringValue: string }[] }
      | undefined;
    const finishReasons = reasons?.values.map(({ stringValue }) => stringValue);
    return [facts[ATTR_GEN_AI_RESPONSE_ID], facts[ATTR_GEN_AI_RESPONSE_MODEL], finishReasons];
  });
  expect(named).toEqual([
    ['chatcmpl-1', 'gpt-4o-2024-08-06', ['stop', 'length']],
    ['content-1', 'gemini-2.0-flash-001', ['STOP']],
    ['task-1', undefined, undefined],
  ]);
});

test('spans and metrics come from the same instance, and each instance has a name of its own', async () => {
  const instances: string[] = [];
  for (let index = 0; index < 2; index += 1) {
    await using traced = await startTraced({ env: { METRICS_ON_MAIN_PORT: 'true' } });
    const { app, receiver } = traced;
    await app.run('{ viewer { __typename } }');
    const { text } = await sendRequest(app.url.replace('/graphql', '/metrics'));
    await app.app.close();
    const [resource] = receiver.resources;
    expect(resource).toMatchObject({
      [ATTR_SERVICE_NAME]: 'gengraph',
      [ATTR_SERVICE_VERSION]: expect.any(String),
      [ATTR_SERVICE_INSTANCE_ID]: expect.any(String),
    });
    const instance = String(resource?.[ATTR_SERVICE_INSTANCE_ID]);
    expect(text).toContain(`service_instance_id="${instance}"`);
    instances.push(instance);
  }
  expect(new Set(instances).size).toBe(2);
});

test('a replay by its key and a reconnect link to the span of the original', async () => {
  await using traced = await startTraced();
  const { app, receiver } = traced;
  const variables = { input: ask('Hello'), idempotencyKey: 'one' };
  const { id } = made(await startChat(app, variables));
  await startChat(app, variables);
  await toEnd(chatEvents(app.wsClient(), { id }));
  await app.app.close();
  const { spans } = receiver;
  const [original, ...others] = spans.filter(of('generation'));
  expect(others).toEqual([]);
  const origin = [{ traceId: original?.traceId, spanId: original?.spanId }];
  const linksOf = (name: string) => spans.filter((span) => span.name === name).map(({ links }) => links);
  expect(linksOf('mutation Create')).toMatchObject([[], origin]);
  expect(linksOf('subscription ChatEvents')).toMatchObject([origin]);
});

test.each([
  ['a refusal', 429, 'RATE_LIMITED'],
  ['a lost reply', undefined, 'OUTCOME_UNKNOWN'],
])('%s marks the spans of the operation, the generation and the request', async (_what, status, code) => {
  const gateway = await startFakeGateway((_request, response) => {
    if (status === undefined) response.socket?.destroy();
    else sendJson(response, '{"error":{"message":"no"}}', status);
  });
  await using traced = await startTraced({ gatewayUrl: gateway.url });
  const { app, receiver } = traced;
  await startChat(app, { input: ask('Hello') });
  await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
  await app.app.close();
  const { spans } = receiver;
  expect(spans).toHaveLength(6);
  for (const span of spans) {
    expect(span.status).toMatchObject(failed);
    const expected = typeOf(span) === 'http' ? (status ?? 'no_reply') : code;
    expect(String(factsOf(span)[ATTR_ERROR_TYPE])).toBe(String(expected));
  }
});
