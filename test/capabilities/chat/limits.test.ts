import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatInput, ChatMessageInput } from '../../../src/client/documents.generated.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { createLimitChecks, userMessage } from '../../support/chat-limits.ts';
import {
  ask,
  createChatCompletion,
  type Failure,
  made,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../../support/chats.ts';

let app: TestApp & AsyncDisposable;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const { issuesOf, accept } = createLimitChecks(() => app);

const user = userMessage;
const call = { id: 'call_1', function: { name: 'f', arguments: '{}' } };

describe('every limit of the gateway', () => {
  test.each<[member: string, good: unknown, bad: unknown, limit: string, received: string]>([
    ['messages', [user('Hi')], [], 'at least 1 item', '0 items'],
    [
      'model',
      'm'.repeat(200),
      'm'.repeat(201),
      '1 to 200 characters, not blank, without control characters',
      '201 characters',
    ],
    ['model', 'm m', '  ', '1 to 200 characters, not blank, without control characters', '  '],
    ['stop', ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd', 'e'], 'at most 4 items', '5 items'],
    ['count', 1, 0, 'at least 1', '0'],
    ['maxTokens', 0, -1, 'at least 0', '-1'],
    ['maxCompletionTokens', 0, -1, 'at least 0', '-1'],
    ['temperature', 0, -0.01, 'at least 0', '-0.01'],
    ['temperature', 2, 2.01, 'at most 2', '2.01'],
    ['topP', 0, -0.01, 'at least 0', '-0.01'],
    ['topP', 1, 1.01, 'at most 1', '1.01'],
    ['presencePenalty', -2, -2.01, 'at least -2', '-2.01'],
    ['presencePenalty', 2, 2.01, 'at most 2', '2.01'],
    ['frequencyPenalty', -2, -2.01, 'at least -2', '-2.01'],
    ['frequencyPenalty', 2, 2.01, 'at most 2', '2.01'],
  ])('accepts %s of %j and rejects %j', async (member, good, bad, limit, received) => {
    await accept(ask('Hi', { [member]: good }));
    expect(await issuesOf(ask('Hi', { [member]: bad }))).toEqual([
      { path: ['input', member], message: `Must be ${limit}.`, limit, received },
    ]);
  });

  test.each([
    [100, 100.5],
    [-100, -101],
  ])('accepts a logitBias value of %j and rejects %j', async (good, bad) => {
    const limit = '-100 to 100';
    await accept(ask('Hi', { logitBias: { 50256: good } }));
    expect(await issuesOf(ask('Hi', { logitBias: { 50256: bad, 7: 0, 8: bad } }))).toMatchObject([
      { path: ['input', 'logitBias', '8'], limit, received: String(bad) },
      { path: ['input', 'logitBias', '50256'], limit, received: String(bad) },
    ]);
  });

  test.each([[[]], ['x'], [5], [{ 1: 'x' }], [{ 1: null }], [{ 1: { a: 1 } }], [{ 1: true }]])(
    'rejects a logitBias of %j',
    async (logitBias) => {
      const [issue, ...more] = await issuesOf(ask('Hi', { logitBias }));
      expect(more).toEqual([]);
      expect(issue?.path.slice(0, 2)).toEqual(['input', 'logitBias']);
    },
  );

  test('rejects a wide integer in a wrong place', async () => {
    const query = `mutation { startChat(input: {
      model: "m", messages: [{ role: USER, content: { text: "Hi" } }]
      logitBias: { a: { b: 12345678901234567890 }, c: 12345678901234567890 }
    }) { __typename ... on InvalidInputError { issues { path received } } } }`;
    const { data, errors } = await app.run<{ startChat: Failure }, object>(query);
    expect(errors).toBeUndefined();
    expect(data?.startChat.issues).toEqual([
      { path: ['input', 'logitBias', 'a'], received: '{"b":12345678901234567890}' },
      { path: ['input', 'logitBias', 'c'], received: '12345678901234567890' },
    ]);
  });

  test('checks every logitBias value under any member name', async () => {
    const logitBias: unknown = JSON.parse('{"__proto__": 101, "constructor": 101}');
    expect((await issuesOf(ask('Hi', { logitBias }))).map(({ path }) => path)).toEqual([
      ['input', 'logitBias', '__proto__'],
      ['input', 'logitBias', 'constructor'],
    ]);
  });
});

describe('a message', () => {
  const say = (...messages: readonly ChatMessageInput[]): ChatInput => ({ model: 'gpt-4o', messages });

  test('requires content unless it has tool calls', async () => {
    await accept(say(user('')));
    await accept(
      say(
        user('Hi'),
        { role: 'ASSISTANT', toolCalls: [call] },
        {
          role: 'TOOL',
          toolCallId: 'call_1',
          content: { text: '{}' },
        },
      ),
    );
    expect(
      await issuesOf(say({ role: 'USER' }, { role: 'ASSISTANT', content: null, toolCalls: [] })),
    ).toMatchObject([
      { path: ['input', 'messages', '0', 'content'], limit: 'content or toolCalls' },
      { path: ['input', 'messages', '1', 'content'], limit: 'content or toolCalls' },
    ]);
  });

  test.each([null, undefined, ''])('of a tool requires a tool call id, not %j', async (toolCallId) => {
    expect(
      await issuesOf(
        say(user('Hi'), {
          role: 'TOOL',
          content: { text: '1' },
          ...(toolCallId !== undefined && { toolCallId }),
        }),
      ),
    ).toMatchObject([{ path: ['input', 'messages', '1', 'toolCallId'], received: toolCallId ?? null }]);
  });

  test('of a tool answers a tool call before it', async () => {
    const answer = { role: 'TOOL', toolCallId: 'call_1', content: { text: '1' } } as const;
    const issues = await issuesOf(say(answer, { role: 'ASSISTANT', toolCalls: [call] }, answer));
    expect(issues).toEqual([
      {
        path: ['input', 'messages', '0', 'toolCallId'],
        message: 'The messages before this one have no tool call with this id.',
        limit: 'the id of a tool call before it',
        received: 'call_1',
      },
    ]);
  });

  test.each([
    'https://example.com/a.png',
    'http://example.com/a.png',
    `data:image/png;base64,${Buffer.from('x').toString('base64')}`,
    `DATA:image/svg+xml;base64,AA==`,
    'data:image/png;name=photo.png;base64,AA==',
    'data:image/svg+xml;charset=utf-8;base64,AA==',
    'data:image/png;base64,A-_/+AA',
  ])('accepts the image %s', async (url) => {
    const { code } = {
      code: 'accepted',
      ...(await startChat(app, {
        input: say({ role: 'USER', content: { parts: [{ text: 'Look' }, { imageUrl: { url } }] } }),
      })),
    };
    expect(code).not.toBe('INVALID_INPUT');
  });

  test.each([
    '',
    'a.png',
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'data:text/plain;base64,AA==',
    'data:image/png,AA',
    'data:image/png;name=photo.png,AA',
    'data:image/png;name=photo.png;base64,',
    'data:image/png;base64,%%%',
    'data:image/png;base64,AAAA AAAA',
    'data:image/png;base64,AAAAA',
    'javascript:alert(1)',
  ])('rejects the image %j', async (url) => {
    const parts = [{ text: 'Look' }, { imageUrl: { url } }];
    expect(await issuesOf(say(user('Hi'), { role: 'USER', content: { parts } }))).toMatchObject([
      {
        path: ['input', 'messages', '1', 'content', 'parts', '1', 'imageUrl', 'url'],
        limit: 'http(s) address or base64 data URI',
        received: url,
      },
    ]);
  });

  test('that is too long is reported by its length in characters', async () => {
    const url = `x${'😀'.repeat(60)}`;
    const input = say({ role: 'USER', content: { parts: [{ imageUrl: { url } }] } });
    expect(await issuesOf(input)).toMatchObject([{ received: '61 characters' }]);
  });
});

describe('extra', () => {
  // Written by hand from the gateway's document, "Chat request (ChatRequest)".
  const declared =
    'model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop presence_penalty frequency_penalty logit_bias seed user response_format tools tool_choice parallel_tool_calls reasoning_effort enable_thinking extra_body web_search_options'.split(
      ' ',
    );

  test('rejects every declared member and `stream`, all at once', async () => {
    const extra = Object.fromEntries(declared.map((name) => [name, { of: name }]));
    const issues = await issuesOf(ask('Hi', { extra }));
    expect(issues.map(({ path }) => path)).toEqual(
      declared.toSorted().map((name) => ['input', 'extra', name]),
    );
    expect(issues.map(({ received }) => received)).toEqual(
      declared.toSorted().map((name) => `{"of":"${name}"}`),
    );
    expect(new Set(issues.map(({ limit }) => limit))).toEqual(new Set(['undeclared members only']));
  });

  test('reports the reason and the value of a rejected member', async () => {
    const extra = { stream: true, seed: 'x'.repeat(200), stop: ['a', 'b'], user: null };
    const limit = 'undeclared members only';
    const message = (name: string) =>
      `"${name}" is declared for this request; extra accepts undeclared members only.`;
    expect(await issuesOf(ask('Hi', { extra }))).toEqual([
      { path: ['input', 'extra', 'seed'], message: message('seed'), limit, received: '200 characters' },
      { path: ['input', 'extra', 'stop'], message: message('stop'), limit, received: '2 items' },
      {
        path: ['input', 'extra', 'stream'],
        message: 'The operation decides whether the reply streams. Remove this member.',
        limit,
        received: 'true',
      },
      { path: ['input', 'extra', 'user'], message: message('user'), limit, received: 'null' },
    ]);
  });

  test('accepts undeclared members', async () => {
    await accept(ask('Hi', { extra: { functions: [{ name: 'f' }] } }));
    expect(app.sandbox.activity.requests().at(-1)?.body).toHaveProperty('functions', [{ name: 'f' }]);
  });

  test.each([[[]], ['stream'], [5], [true]])('rejects %j, which is not an object', async (extra) => {
    expect(await issuesOf(ask('Hi', { extra }))).toMatchObject([
      { path: ['input', 'extra'], limit: 'an object' },
    ]);
  });
});

describe('rejected input', () => {
  const wrong: ChatInput = {
    model: '',
    messages: [{ role: 'TOOL' }, { role: 'USER', content: { parts: [{ imageUrl: { url: 'x' } }] } }],
    temperature: 3,
    topP: 2,
    count: 0,
    maxTokens: -1,
    stop: ['1', '2', '3', '4', '5'],
    logitBias: { 1: 101 },
    responseFormat: { type: 'JSON_OBJECT' },
    extra: { stream: true, seed: 1 },
  };
  const paths = [
    'count',
    'extra.seed',
    'extra.stream',
    'logitBias.1',
    'maxTokens',
    'messages.0.content',
    'messages.0.toolCallId',
    'messages.1.content.parts.0.imageUrl.url',
    'model',
    'responseFormat.type',
    'stop',
    'temperature',
    'topP',
  ].map((path) => `input.${path}`);

  test('reports all problems at once, sorted by path, and does not use the key', async () => {
    const failure = refused(await startChat(app, { input: wrong, idempotencyKey: 'refused' }));
    expect(failure.issues?.map(({ path }) => path.join('.'))).toEqual(paths);
    expect(failure.message).toBe('13 problems. input.count: Must be at least 1.');
    made(await startChat(app, { input: ask('Hi'), idempotencyKey: 'refused' }));
  });

  test('is the same error from every operation', async () => {
    const before = app.sandbox.activity.count();
    const expected = refused(await startChat(app, { input: wrong }));
    expect(refused(await createChatCompletion(app, { input: wrong }))).toEqual(expected);
    for (const client of [app.wsClient(), app.sseClient()]) {
      const events = await toEnd(streamChat(client, { input: wrong, idempotencyKey: 'other' }));
      expect(events).toMatchObject([
        { __typename: 'ChatFailed', generationId: null, sequence: 0, error: expected, generation: null },
      ]);
    }
    expect(app.sandbox.activity.count()).toBe(before);
  });

  test.each([
    ['an unknown member', { mood: 'good' }],
    ['an unknown word', { messages: [{ role: 'WIZARD', content: { text: 'Hi' } }] }],
    ['a wrong type', { temperature: 'hot' }],
    ['both of two alternatives', { toolChoice: { mode: 'AUTO', function: { name: 'f' } } }],
    ['none of two alternatives', { messages: [{ role: 'USER', content: {} }] }],
    ['a seed that lost digits', { seed: 2 ** 64 }],
  ])('of %s is a GraphQL validation error', async (_name, input) => {
    const before = app.sandbox.activity.count();
    const query = 'mutation ($input: ChatInput!) { startChat(input: $input) { __typename } }';
    const { errors, data } = await app.run(query, { input: { ...ask('Hi'), ...input } });
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST' });
    expect(app.sandbox.activity.count()).toBe(before);
  });
});
