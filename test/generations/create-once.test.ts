import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  createChatCompletionQuery,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldChat, foldedText } from '../support/fold-chat.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const path = '/v1/chat/completions';
const hello = ask('Hello');
const creates = [
  ['startChat', startChat],
  ['createChatCompletion', createChatCompletion],
] as const;

/** Ids of the caller's generations, newest first. */
async function listIds(app: TestApp): Promise<readonly string[]> {
  const { data } = await app.run<{ generations: { edges: { node: { id: string } }[] } }, object>(
    '{ generations(first: 100) { edges { node { id } } } }',
  );
  return data?.generations.edges.map(({ node }) => node.id) ?? [];
}

describe('the same key and input', () => {
  test.each(creates)('make %s return the same generation and send one request', async (_name, create) => {
    await using app = await startApp();
    const first = made(await create(app, { input: hello, idempotencyKey: 'k' }));
    const second = made(await create(app, { input: hello, idempotencyKey: 'k' }));
    expect(second.id).toBe(first.id);
    expect(app.sandbox.activity.count(path)).toBe(1);
    expect(await listIds(app)).toEqual([first.id]);
  });

  test('replay a finished chat completion unchanged', async () => {
    await using app = await startApp();
    const variables = { input: ask('Hello'), idempotencyKey: 'k' };
    const first = await createChatCompletion(app, variables);
    expect(await createChatCompletion(app, variables)).toEqual(first);
  });

  test.each(creates)(
    'in 20 concurrent %s calls send one request for one generation',
    async (_name, create) => {
      await using app = await startApp();
      const duplicates = await Promise.all(
        Array.from({ length: 20 }, () => create(app, { input: hello, idempotencyKey: 'k' })),
      );
      expect(new Set(duplicates.map((duplicate) => made(duplicate).id)).size).toBe(1);
      expect(app.sandbox.activity.count(path)).toBe(1);
    },
  );

  test('in 20 concurrent chat subscriptions send one request, and each receives the complete chat', async () => {
    await using app = await startApp();
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        toEnd(streamChat(app.wsClient(), { input: hello, idempotencyKey: 'k' })),
      ),
    );
    expect(new Set(all.map((events) => JSON.stringify(foldChat(events)))).size).toBe(1);
    expect(new Set(all.map((events) => events[0]?.generationId)).size).toBe(1);
    expect(app.sandbox.activity.count(path)).toBe(1);
  });

  test('attach a chat subscription to a chat from startChat, running or finished', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: hello, idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('a'));
    const { id } = made(await starting);
    const running = streamChat(app.wsClient(), { input: hello, idempotencyKey: 'k' });
    const seen = [await nextEvent(running)];
    exchange.send(...words('b'), '[DONE]');
    seen.push(...(await toEnd(running)));
    const finished = await toEnd(streamChat(app.sseClient(), { input: hello, idempotencyKey: 'k' }));
    expect([seen[0]?.generationId, finished[0]?.generationId]).toEqual([id, id]);
    expect([foldedText(seen), foldedText(finished)]).toEqual(['ab', 'ab']);
    expect(gateway.requests).toHaveLength(1);
  });

  test('attach a retry to a running createChatCompletion whose client disconnected', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const leaving = new AbortController();
    const body = JSON.stringify({
      query: createChatCompletionQuery,
      variables: { input: hello, idempotencyKey: 'k' },
    });
    const headers = { ...sandboxKey, 'content-type': 'application/json' };
    const left = fetch(app.url, { method: 'POST', headers, body, signal: leaving.signal });
    const exchange = await gateway.exchange(0);
    leaving.abort();
    await expect(left).rejects.toThrow(/abort/);
    const again = createChatCompletion(app, { input: hello, idempotencyKey: 'k' });
    exchange.reply(200, { choices: [{ message: { content: 'a' } }] });
    expect(made(await again).output?.choices[0]?.message.content).toBe('a');
    expect(gateway.requests).toHaveLength(1);
  });

  test('attach a chat subscription to a finished chat whose log has expired', async () => {
    const clock = createManualClock();
    await using app = await startApp({ overrides: { clock } });
    const first = await toEnd(streamChat(app.wsClient(), { input: hello, idempotencyKey: 'k' }));
    clock.advance(3_600_000);
    const again = await toEnd(streamChat(app.wsClient(), { input: hello, idempotencyKey: 'k' }));
    expect(again.map(({ __typename }) => __typename)).toEqual(['ChatSnapshot', 'ChatCompleted']);
    expect(foldedText(again)).toBe(foldedText(first));
    expect(app.sandbox.activity.count(path)).toBe(1);
  });

  test('treat null members as absent and ignore the order of object members', async () => {
    await using app = await startApp();
    const variants = [
      {
        model: 'm',
        messages: hello.messages,
        logitBias: { 1: 1, 2: 2 },
        extra: { functions: [{ name: 'f', description: 'd' }] },
      },
      {
        extra: { functions: [{ description: 'd', name: 'f' }] },
        logitBias: { 2: 2, 1: 1 },
        stop: null,
        tools: null,
        messages: [{ content: { text: 'Hello' }, name: null, role: 'USER' as const }],
        temperature: null,
        model: 'm',
      },
    ];
    const ids = [];
    for (const input of variants) ids.push(made(await startChat(app, { input, idempotencyKey: 'k' })).id);
    expect(new Set(ids).size).toBe(1);
    expect(app.sandbox.activity.count(path)).toBe(1);
  });
});

describe('the same key for a different request', () => {
  test.each([
    ['different text', ask('Hello!')],
    ['a different seed', ask('Hello', { seed: 8 })],
    ['an additional member', ask('Hello', { temperature: 1 })],
    ['an explicit default', ask('Hello', { count: 1 })],
    ['a reordered list', ask('Hello', { stop: ['b', 'a'] })],
  ])('(%s) is a conflict that names the first generation and sends nothing', async (name, input) => {
    await using app = await startApp();
    const original = name.endsWith('list') ? ask('Hello', { stop: ['a', 'b'] }) : hello;
    const { id } = made(await startChat(app, { input: original, idempotencyKey: 'k' }));
    expect(refused(await startChat(app, { input, idempotencyKey: 'k' }))).toMatchObject({
      __typename: 'IdempotencyConflictError',
      code: 'IDEMPOTENCY_CONFLICT',
      generation: { id },
    });
    const events = await toEnd(streamChat(app.wsClient(), { input, idempotencyKey: 'k' }));
    expect(events).toMatchObject([
      { __typename: 'ChatFailed', error: { code: 'IDEMPOTENCY_CONFLICT', generation: { id } } },
    ]);
    expect(app.sandbox.activity.count(path)).toBe(1);
  });

  test('(a different operation) is a conflict', async () => {
    await using app = await startApp();
    const { id } = made(await startChat(app, { input: hello, idempotencyKey: 'k' }));
    const failure = refused(await createChatCompletion(app, { input: hello, idempotencyKey: 'k' }));
    expect(failure).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', generation: { id } });
    expect(app.sandbox.activity.count(path)).toBe(1);
  });

  test('is a conflict while the first request is in flight', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: hello, idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    const failure = refused(await startChat(app, { input: ask('Bye'), idempotencyKey: 'k' }));
    expect(failure.code).toBe('IDEMPOTENCY_CONFLICT');
    exchange.send('[DONE]');
    expect(made(await starting).id).toBe(failure.generation?.id);
  });
});

describe('an idempotency key', () => {
  let app: TestApp & AsyncDisposable;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('is scoped to one credential and end user', async () => {
    const callers = [
      sandboxKey,
      { ...sandboxKey, 'x-end-user': 'ann' },
      { ...sandboxKey, 'x-end-user': 'bob' },
      { ...sandboxKey, 'new-api-user': '7' },
    ];
    const ids = [];
    for (const headers of callers) {
      const variables = { input: hello, idempotencyKey: 'shared' };
      const { id } = made(await startChat(app, variables, headers));
      expect(made(await startChat(app, variables, headers)).id).toBe(id);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(callers.length);
  });

  test('from a client never collides with a key derived from an operation id', async () => {
    const id = crypto.randomUUID();
    const client = app.wsClient({ generateID: () => id });
    const mine = await toEnd(streamChat(client, { input: hello }));
    const other = made(await startChat(app, { input: hello, idempotencyKey: `${id}:streamChat` }));
    expect(other.id).not.toBe(mine[0]?.generationId);
  });

  test('has 1 to 200 code points', async () => {
    const before = app.sandbox.activity.count();
    for (const idempotencyKey of ['', 'x'.repeat(201), '😀'.repeat(201)]) {
      expect(refused(await startChat(app, { input: hello, idempotencyKey }))).toMatchObject({
        code: 'INVALID_INPUT',
        issues: [{ path: ['idempotencyKey'], limit: '1 to 200 characters' }],
      });
    }
    expect(app.sandbox.activity.count()).toBe(before);
    made(await startChat(app, { input: hello, idempotencyKey: '😀'.repeat(200) }));
  });

  test('is required for a chat over server-sent events', async () => {
    const before = app.sandbox.activity.count();
    expect(await toEnd(streamChat(app.sseClient(), { input: hello }))).toMatchObject([
      {
        __typename: 'ChatFailed',
        generationId: null,
        error: { __typename: 'InvalidInputError', issues: [{ path: ['idempotencyKey'], limit: 'required' }] },
      },
    ]);
    expect(app.sandbox.activity.count()).toBe(before);
  });

  test('is not derived from an operation id that is not a UUID', async () => {
    let count = 0;
    const client = app.wsClient({ generateID: () => String((count += 1)) });
    // With another id, this transport needs no key.
    const message = expect.stringContaining('a UUID as operation id is enough.');
    expect(await toEnd(streamChat(client, { input: hello }))).toMatchObject([
      { __typename: 'ChatFailed', error: { issues: [{ path: ['idempotencyKey'], message }] } },
    ]);
  });

  test('is released by a refusal, which leaves no generation', async () => {
    await using scripted = await startScripted();
    const { app: own, gateway } = scripted;
    const create = () => startChat(own, { input: hello, idempotencyKey: 'k' });
    const first = create();
    const exchange = await gateway.exchange(0);
    // The generation is not visible before the gateway accepts the create.
    expect(await listIds(own)).toEqual([]);
    exchange.reply(429, { error: { message: 'slow down' } });
    expect(refused(await first).code).toBe('RATE_LIMITED');
    expect(await listIds(own)).toEqual([]);
    const second = create();
    (await gateway.exchange(1)).send(...words('a'), '[DONE]');
    const { id } = made(await second);
    expect(await listIds(own)).toEqual([id]);
    expect(made(await create()).id).toBe(id);
    expect(gateway.requests).toHaveLength(2);
  });

  test('can be reused for different input after a refusal', async () => {
    await using scripted = await startScripted();
    const { app: own, gateway } = scripted;
    const first = createChatCompletion(own, { input: hello, idempotencyKey: 'k' });
    (await gateway.exchange(0)).reply(400, { error: { message: 'no' } });
    expect(refused(await first).code).toBe('GATEWAY_ERROR');
    const second = startChat(own, { input: ask('Bye'), idempotencyKey: 'k' });
    (await gateway.exchange(1)).send('[DONE]');
    made(await second);
  });

  test('of a refused create returns the refusal to all waiting duplicates', async () => {
    await using scripted = await startScripted();
    const { app: own, gateway } = scripted;
    const client = own.wsClient();
    const duplicates = [1, 2, 3].map(() => toEnd(streamChat(client, { input: hello, idempotencyKey: 'k' })));
    const exchange = await gateway.exchange(0);
    // A query on the same socket returns after the server has received the duplicates.
    for await (const _ of client.iterate({ query: '{ __typename }' })) void _;
    exchange.reply(402, { error: { message: 'empty' } });
    for (const events of await Promise.all(duplicates))
      expect(events).toMatchObject([{ error: { code: 'QUOTA_EXCEEDED' } }]);
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('a lost reply', () => {
  test.each(creates)('keeps the key, and %s is not sent again', async (_name, create) => {
    await using app = await startApp();
    const variables = { input: ask('Hello', { model: 'fault-reset' }), idempotencyKey: 'k' };
    const first = refused(await create(app, variables));
    expect(first).toMatchObject({ __typename: 'OutcomeUnknownError', generation: { status: 'UNKNOWN' } });
    const second = refused(await create(app, variables));
    expect(second).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { id: first.generation?.id } });
    const events = await toEnd(streamChat(app.wsClient(), variables));
    expect(events).toMatchObject([
      {
        __typename: 'ChatFailed',
        error: { code: create === startChat ? 'OUTCOME_UNKNOWN' : 'IDEMPOTENCY_CONFLICT' },
      },
    ]);
    expect(app.sandbox.activity.count(path)).toBe(1);
    const id = first.generation?.id ?? '';
    expect(await listIds(app)).toEqual([id]);
    expect(await findGeneration(app, id)).toMatchObject({
      status: 'UNKNOWN',
      isCancelable: false,
      error: { code: 'OUTCOME_UNKNOWN' },
    });
    expect(await toEnd(chatEvents(app.wsClient(), { id }))).toMatchObject([
      { __typename: 'ChatSnapshot' },
      { __typename: 'ChatFailed', error: { code: 'OUTCOME_UNKNOWN' } },
    ]);
  });

  test('includes a reply that does not start within GATEWAY_TIMEOUT_SECONDS', async () => {
    await using scripted = await startScripted({ env: { GATEWAY_TIMEOUT_SECONDS: '0.1' } });
    const { app, gateway } = scripted;
    const failure = refused(await startChat(app, { input: hello, idempotencyKey: 'k' }));
    expect(failure.code).toBe('OUTCOME_UNKNOWN');
    await (
      await gateway.exchange(0)
    ).closed;
    expect(refused(await startChat(app, { input: hello, idempotencyKey: 'k' })).code).toBe('OUTCOME_UNKNOWN');
    expect(gateway.requests).toHaveLength(1);
  });

  test('does not affect a create with another key', async () => {
    await using app = await startApp();
    const input = ask('Hello', { model: 'fault-reset' });
    refused(await startChat(app, { input, idempotencyKey: 'a' }));
    refused(await startChat(app, { input, idempotencyKey: 'b' }));
    expect(app.sandbox.activity.count(path)).toBe(2);
  });
});

test('an unreachable gateway releases the key and returns a retryable error', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  await new Promise((resolve) => server.close(resolve));
  await using app = await startApp({ gatewayUrl: `http://127.0.0.1:${port}` });
  for (const create of [startChat, createChatCompletion]) {
    expect(refused(await create(app, { input: hello, idempotencyKey: 'k' }))).toMatchObject({
      __typename: 'GatewayError',
      retry: 'SAFE',
      httpStatus: null,
    });
  }
  expect(await listIds(app)).toEqual([]);
});
