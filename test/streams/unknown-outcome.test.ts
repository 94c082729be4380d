import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';

const chatInput =
  'input: { model: "m", messages: [{ role: USER, content: { text: "Hello" } }] }, idempotencyKey: "k"';
const imageInput = 'input: { model: "m", prompt: "a lighthouse" }, idempotencyKey: "k"';

interface Failed {
  readonly __typename: string;
  readonly generationId: string | null;
  readonly error: { readonly code: string; readonly generation: object | null };
  readonly generation: object | null;
}

/** Starts the program with a gateway that reads every create and then loses the connection. */
async function startLosing() {
  const gateway = await startFakeGateway((_request, response) => void response.socket?.destroy());
  const app = await startApp({ gatewayUrl: gateway.url });
  return { app, gateway, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

async function lastEvent(app: TestApp, field: string, type: string): Promise<Failed | undefined> {
  const output = type === 'Chat' ? 'soFar { sequence raw }' : 'soFar { images { url } }';
  const inGeneration = type === 'Chat' ? 'output { ... on ChatCompletion { raw } }' : 'output { __typename }';
  const events = app.wsClient().iterate<Readonly<Record<string, Failed>>>({
    query: `subscription { event: ${field} { __typename generationId ${output}
      ... on ${type}Failed { error { code generation { id } } generation { id status isTerminal raw error { code } ${inGeneration} } } } }`,
  });
  let last: Failed | undefined;
  for await (const { data } of events) last = data?.['event'];
  return last;
}

describe.each([
  ['streamChat', `streamChat(${chatInput})`, 'chatEvents', 'Chat', { sequence: 0, raw: null }, { raw: null }],
  ['streamImages', `streamImages(${imageInput})`, 'imageEvents', 'Image', { images: [] }, {}],
])('%s with an unknown outcome', (_name, create, follow, type, soFar, output) => {
  test('fails with its generation, to which nothing is added, and so does its repetition', async () => {
    await using losing = await startLosing();
    const { app, gateway } = losing;
    const event = await lastEvent(app, create, type);
    const id = event?.generationId ?? '';
    expect(id).toMatch(/^generation_/);
    expect(event).toMatchObject({
      __typename: `${type}Failed`,
      soFar,
      error: { code: 'OUTCOME_UNKNOWN', generation: { id } },
      generation: {
        id,
        status: 'UNKNOWN',
        isTerminal: true,
        raw: null,
        error: { code: 'OUTCOME_UNKNOWN' },
        output,
      },
    });
    expect(await lastEvent(app, create, type)).toEqual(event);
    expect(await lastEvent(app, `${follow}(id: "${id}")`, type)).toMatchObject({
      generationId: id,
      soFar,
      generation: { raw: null, output },
    });
    expect(gateway.requests).toHaveLength(1);
  });
});

test.each(['startChat', 'createChatCompletion'])(
  '%s with an unknown outcome shows no reply that the gateway has not sent',
  async (field) => {
    await using losing = await startLosing();
    const { data } = await losing.app.run<object, object>(
      `mutation { result: ${field}(${chatInput}) {
        __typename ... on OutcomeUnknownError { generation { status raw output { ... on ChatCompletion { raw } } } }
      } }`,
    );
    expect(data).toEqual({
      result: {
        __typename: 'OutcomeUnknownError',
        generation: { status: 'UNKNOWN', raw: null, output: { raw: null } },
      },
    });
  },
);

test('a refused create fails without a generation', async () => {
  const gateway = await startFakeGateway(
    (_request, response) => void response.writeHead(401).end('{"error":{"message":"no"}}'),
  );
  await using app = await startApp({ gatewayUrl: gateway.url });
  expect(await lastEvent(app, `streamChat(${chatInput})`, 'Chat')).toMatchObject({
    generationId: null,
    error: { code: 'AUTHENTICATION_FAILED', generation: null },
    generation: null,
  });
});

test('whoever waits for a create that a conflict names learns of its refusal', async () => {
  const waiting = Promise.withResolvers<void>();
  const gateway = await startFakeGateway(async (_request, response) => {
    await waiting.promise;
    response.writeHead(400).end('{"error":{"message":"no"}}');
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const creating = app.run(`mutation { startChat(${chatInput}) { __typename } }`);
  await expect.poll(() => gateway.requests).toHaveLength(1);
  const { data } = await app.run<
    Readonly<Record<string, { readonly generation: { readonly id: string } }>>,
    object
  >(
    `mutation { other: createChatCompletion(${chatInput}) { ... on IdempotencyConflictError { generation { id } } } }`,
  );
  const id = data?.['other']?.generation.id ?? '';
  const watching = lastEvent(app, `chatEvents(id: "${id}")`, 'Chat');
  await expect.poll(() => app.app.activity.watchers).toBe(1);
  const awaiting = app.run(`{ awaitGeneration(by: { id: "${id}" }, timeoutSeconds: 300) { id } }`);
  await app.run('{ __typename }');
  waiting.resolve();
  await creating;
  const failed = { error: { code: 'GATEWAY_ERROR' }, generation: { id, status: 'FAILED', isTerminal: true } };
  expect(await watching).toMatchObject({ __typename: 'ChatFailed', generationId: id, ...failed });
  expect((await awaiting).data).toEqual({ awaitGeneration: null });
});

test('a chat that is canceled before the first part of its reply shows no reply', async () => {
  const gateway = await startFakeGateway((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  await app.run(`mutation { startChat(${chatInput}) { __typename } }`);
  const { data } = await app.run<object, object>(
    'mutation { cancelGeneration(by: { idempotencyKey: "k" }) { ... on Generation { status raw } } }',
  );
  expect(data).toEqual({ cancelGeneration: { status: 'CANCELED', raw: null } });
});
