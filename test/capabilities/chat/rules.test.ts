import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatInput } from '../../../src/client/documents.generated.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { createLimitChecks, userMessage } from '../../support/chat-limits.ts';
import { ask, startChat } from '../../support/chats.ts';

let app: TestApp & AsyncDisposable;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const { issuesOf, accept, statusOf } = createLimitChecks(() => app);

const user = userMessage;
const schema = { name: 'n', schema: { type: 'object', properties: {} } };

describe('rules across members', () => {
  test('JSON_OBJECT requires the word "json" in a message', async () => {
    const responseFormat = { type: 'JSON_OBJECT' } as const;
    await accept(ask('Answer in JSON.', { responseFormat }));
    await accept(
      ask('', {
        responseFormat,
        messages: [{ role: 'SYSTEM', content: { parts: [{ text: 'as Json please' }] } }, user('Hi')],
      }),
    );
    expect(await issuesOf(ask('Answer.', { responseFormat }))).toMatchObject([
      { path: ['input', 'responseFormat', 'type'], received: 'JSON_OBJECT' },
    ]);
  });

  test('JSON_SCHEMA requires a schema object', async () => {
    await accept(ask('Hi', { responseFormat: { type: 'JSON_SCHEMA', jsonSchema: schema } }));
    for (const jsonSchema of [null, 'x', [], 5]) {
      const issues = await issuesOf(ask('Hi', { responseFormat: { type: 'JSON_SCHEMA', jsonSchema } }));
      expect(issues).toMatchObject([{ path: ['input', 'responseFormat', 'jsonSchema'] }]);
    }
  });

  test.each(['tools', 'extraBody', 'userLocation'])(
    '%s rejects values that are not objects',
    async (member) => {
      const wrong = {
        tools: { tools: [{ function: { name: 'f', parameters: 'x' } }] },
        extraBody: { extraBody: [1] },
        userLocation: { webSearchOptions: { userLocation: 'Paris' } },
      }[member];
      const [issue, ...more] = await issuesOf(ask('Hi', wrong));
      expect(more).toEqual([]);
      expect(issue).toMatchObject({ limit: 'an object' });
      expect(issue?.path.join('.')).toMatch(
        /^input\.(tools\.0\.function\.parameters|extraBody|webSearchOptions\.userLocation)$/,
      );
    },
  );

  test.each([true, false, undefined])('extraBody.enable_thinking accepts %j', async (thinking) => {
    const extraBody = { enable_thinking: thinking, google: {}, anything: 'else' };
    expect(await statusOf(ask('Hi', { extraBody }))).toBe('SUCCEEDED');
  });

  test.each(['true', 1, null, {}])('extraBody.enable_thinking rejects %j', async (thinking) => {
    expect(await issuesOf(ask('Hi', { extraBody: { enable_thinking: thinking } }))).toEqual([
      {
        path: ['input', 'extraBody', 'enable_thinking'],
        message: 'Must be true or false.',
        limit: 'a boolean',
        received: typeof thinking === 'string' ? thinking : JSON.stringify(thinking),
      },
    ]);
  });

  test.each(['x', 5, null, [], true])('extraBody.google rejects %j', async (google) => {
    expect(await issuesOf(ask('Hi', { extraBody: { google } }))).toMatchObject([
      { path: ['input', 'extraBody', 'google'], limit: 'an object' },
    ]);
  });

  const calling = (text: string): Partial<ChatInput> => ({
    messages: [
      user('Hi'),
      { role: 'ASSISTANT', toolCalls: [{ id: 'c', function: { name: 'f', arguments: text } }] },
      { role: 'TOOL', toolCallId: 'c', content: { text: '1' } },
    ],
  });

  test.each(['{}', ' {"a": [1]} ', 'null', '"x"', '12345678901234567890'])(
    'tool call arguments accept %j',
    async (text) => expect(await statusOf(ask('', calling(text)))).toBe('SUCCEEDED'),
  );

  test.each(['', ' ', '{', "{'a': 1}", 'a=1', '{"a": 1,}', 'undefined'])(
    'tool call arguments reject %j',
    async (text) => {
      expect(await issuesOf(ask('', calling(text)))).toEqual([
        {
          path: ['input', 'messages', '1', 'toolCalls', '0', 'function', 'arguments'],
          message: 'Must be JSON text of at most 100,000 values.',
          limit: 'JSON text of at most 100,000 values',
          received: text,
        },
      ]);
    },
  );

  test('tool call arguments have at most 100,000 values', async () => {
    const list = (values: number): string => `[${'0,'.repeat(values - 2)}0]`;
    expect(await statusOf(ask('', calling(list(100_000))))).toBe('SUCCEEDED');
    expect(await issuesOf(ask('', calling(list(100_001))))).toMatchObject([
      { limit: 'JSON text of at most 100,000 values' },
    ]);
  });

  test('the arguments of all tool calls have at most 500,000 values, and one problem says so', async () => {
    const call = { id: 'c', function: { name: 'f', arguments: `[${'0,'.repeat(99_998)}0]` } };
    const withCalls = (count: number): Partial<ChatInput> => ({
      messages: [
        user('Hi'),
        { role: 'ASSISTANT', toolCalls: Array.from({ length: count }, () => call) },
        { role: 'TOOL', toolCallId: 'c', content: { text: '1' } },
      ],
    });
    expect(await statusOf(ask('', withCalls(5)))).toBe('SUCCEEDED');
    expect(await issuesOf(ask('', withCalls(7)))).toEqual([
      {
        path: ['input', 'messages', '1', 'toolCalls', '5', 'function', 'arguments'],
        message: 'Must be at most 500,000 values in the arguments of all tool calls.',
        limit: 'at most 500,000 values in the arguments of all tool calls',
        received: '199999 UTF-16 code units',
      },
    ]);
  });

  const f = { function: { name: 'f' } };
  const older = { functions: [{ name: 'f' }] };

  test.each<Partial<ChatInput>>([
    { toolChoice: { mode: 'REQUIRED' }, tools: [f] },
    { toolChoice: { mode: 'REQUIRED' }, extra: older },
    { toolChoice: { function: { name: 'f' } }, tools: [{ function: { name: 'g' } }, f] },
    { toolChoice: { function: { name: 'f' } }, tools: [{ function: { name: 'g' } }], extra: older },
    { toolChoice: { mode: 'AUTO' } },
    { toolChoice: { mode: 'NONE' }, tools: [] },
  ])('toolChoice accepts an offered tool: %j', async (input) => {
    expect(await statusOf(ask('Hi', input))).toBe('SUCCEEDED');
  });

  test('toolChoice accepts any tool when the legacy functions in extra are malformed', async () => {
    const toolChoice = { function: { name: 'f' } };
    for (const functions of [{ f: {} }, [{ title: 'f' }], ['f']]) {
      const started = await startChat(app, { input: ask('Hi', { toolChoice, extra: { functions } }) });
      expect(started).not.toMatchObject({ __typename: 'InvalidInputError' });
    }
  });

  test.each<[Partial<ChatInput>, string, string]>([
    [{ toolChoice: { mode: 'REQUIRED' } }, 'mode', 'REQUIRED'],
    [{ toolChoice: { mode: 'REQUIRED' }, tools: [], extra: { functions: [] } }, 'mode', 'REQUIRED'],
    [{ toolChoice: f }, 'function.name', 'f'],
    [{ toolChoice: f, tools: [], extra: { functions: null } }, 'function.name', 'f'],
    [{ toolChoice: f, tools: [{ function: { name: 'g' } }] }, 'function.name', 'f'],
    [{ toolChoice: f, extra: { functions: [{ name: 'F' }] } }, 'function.name', 'f'],
  ])('toolChoice rejects a tool that is not offered: %j', async (input, path, received) => {
    expect(await issuesOf(ask('Hi', input))).toMatchObject([
      { path: ['input', 'toolChoice', ...path.split('.')], received },
    ]);
  });

  test.each([
    [{ model: ' ' }, ['input', 'model']],
    [{ tools: [{ function: { name: '' } }] }, ['input', 'tools', '0', 'function', 'name']],
    [{ toolChoice: { function: { name: '' } } }, ['input', 'toolChoice', 'function', 'name']],
  ])('names must not be blank: %j', async (input, path) => {
    expect(await issuesOf(ask('Hi', input))).toMatchObject([{ path }]);
  });
});
