import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatInput } from '../../../src/client/documents.generated.ts';
import { sandboxKey, startApp, type TestApp } from '../../support/app.ts';
import { ask, createChatCompletion, made, nextEvent, startChat, streamChat } from '../../support/chats.ts';
import { startScripted } from '../../support/scripted-gateway.ts';

const parameters = { type: 'object', properties: { a: { type: 'null' } }, default: null, required: [] };
const image = 'data:image/png;base64,iVBORw0KGgo=';

// Both are written by hand from the gateway's document, "Chat request (ChatRequest)".
const input: ChatInput = {
  model: 'gpt-4o',
  messages: [
    { role: 'SYSTEM', content: { text: 'Be JSON.' } },
    { role: 'DEVELOPER', content: { text: '' } },
    {
      role: 'USER',
      name: 'ann',
      content: {
        parts: [
          { text: 'Look' },
          { imageUrl: { url: 'https://example.com/a.png' } },
          { imageUrl: { url: image, detail: 'HIGH' } },
          { imageUrl: { url: image, detail: 'LOW' } },
          { imageUrl: { url: image, detail: 'AUTO' } },
        ],
      },
    },
    {
      role: 'ASSISTANT',
      reasoningContent: 'Hm.',
      toolCalls: [
        { id: 'c1', function: { name: 'f', arguments: '{"a":1}' } },
        { id: 'c2', type: 'FUNCTION', function: { name: 'f', arguments: '{}' } },
      ],
    },
    { role: 'TOOL', toolCallId: 'c1', content: { text: '{"ok":true}' } },
  ],
  streamOptions: { includeUsage: false },
  maxTokens: 10,
  maxCompletionTokens: 11,
  temperature: 0.5,
  topP: 0.25,
  count: 1,
  stop: ['a', 'b'],
  presencePenalty: -1.5,
  frequencyPenalty: 1.5,
  logitBias: { 50256: -100 },
  seed: 42,
  user: 'user-1',
  responseFormat: { type: 'JSON_SCHEMA', jsonSchema: { name: 'n', schema: parameters, strict: null } },
  tools: [
    { function: { name: 'f', description: 'd', parameters } },
    { type: 'FUNCTION', function: { name: 'g' } },
  ],
  toolChoice: { function: { name: 'f' } },
  parallelToolCalls: false,
  reasoningEffort: 'low',
  enableThinking: true,
  extraBody: { enable_thinking: true, google: { thinking_config: { include_thoughts: true }, none: null } },
  webSearchOptions: { searchContextSize: 'HIGH', userLocation: { city: 'Paris', zip: null } },
  extra: { functions: [{ name: 'h', description: 'd', parameters: {} }] },
};

const body = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'Be JSON.' },
    { role: 'developer', content: '' },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'image_url', image_url: { url: image, detail: 'high' } },
        { type: 'image_url', image_url: { url: image, detail: 'low' } },
        { type: 'image_url', image_url: { url: image, detail: 'auto' } },
      ],
    },
    {
      role: 'assistant',
      content: '',
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
        { id: 'c2', type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"ok":true}' },
  ],
  stream: true,
  stream_options: { include_usage: false },
  max_tokens: 10,
  max_completion_tokens: 11,
  temperature: 0.5,
  top_p: 0.25,
  n: 1,
  stop: ['a', 'b'],
  presence_penalty: -1.5,
  frequency_penalty: 1.5,
  logit_bias: { 50256: -100 },
  seed: 42,
  user: 'user-1',
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema: parameters, strict: null } },
  tools: [
    { type: 'function', function: { name: 'f', description: 'd', parameters } },
    { type: 'function', function: { name: 'g' } },
  ],
  tool_choice: { type: 'function', function: { name: 'f' } },
  parallel_tool_calls: false,
  reasoning_effort: 'low',
  enable_thinking: true,
  extra_body: { enable_thinking: true, google: { thinking_config: { include_thoughts: true }, none: null } },
  web_search_options: { search_context_size: 'high', user_location: { city: 'Paris', zip: null } },
  functions: [{ name: 'h', description: 'd', parameters: {} }],
};

let app: TestApp & AsyncDisposable;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** The body sent by one create. */
async function sentBy(create: () => Promise<unknown>): Promise<unknown> {
  const before = app.sandbox.activity.count();
  await create();
  expect(app.sandbox.activity.count()).toBe(before + 1);
  return app.sandbox.activity.requests().at(-1)?.body;
}

const sent = (members: ChatInput): Promise<unknown> => sentBy(() => startChat(app, { input: members }));

/** The raw text of the body, with exact digits. */
async function sentText(members: ChatInput): Promise<string> {
  await using scripted = await startScripted();
  const starting = startChat(scripted.app, { input: members });
  const { text, send } = await scripted.gateway.exchange(0);
  send('[DONE]');
  made(await starting);
  return text;
}

describe('the body of a chat request', () => {
  test('contains every documented member under its wire name', async () => {
    expect(await sent(input)).toEqual(body);
  });

  test('with every member is accepted by the sandbox', async () => {
    const { status } = made(
      await startChat(app, { input: { ...input, maxTokens: 1000, maxCompletionTokens: 1000 } }),
    );
    expect(status).toBe('RUNNING');
  });

  test('of createChatCompletion requests no stream and has no stream options', async () => {
    const { stream_options: _, ...rest } = body;
    expect(await sentBy(() => createChatCompletion(app, { input }))).toEqual({ ...rest, stream: false });
  });

  test('is the same for chat and startChat', async () => {
    const fromChat = await sentBy(() => nextEvent(streamChat(app.wsClient(), { input })));
    expect(fromChat).toEqual(body);
  });

  test('omits absent and null members', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const expected = { model: 'm', messages, stream: true, stream_options: { include_usage: true } };
    const least: ChatInput = { model: 'm', messages: [{ role: 'USER', content: { text: 'Hi' } }] };
    expect(await sent(least)).toEqual(expected);
    const nulls = Object.keys(input).filter((name) => name !== 'model' && name !== 'messages');
    expect(await sent({ ...least, ...Object.fromEntries(nulls.map((name) => [name, null])) })).toEqual(
      expected,
    );
    const inner: ChatInput = {
      ...least,
      messages: [
        {
          role: 'USER',
          content: { text: 'Hi' },
          name: null,
          toolCalls: null,
          toolCallId: null,
          reasoningContent: null,
        },
      ],
      webSearchOptions: { searchContextSize: null, userLocation: null },
      tools: [{ function: { name: 'f', description: null, parameters: null } }],
      responseFormat: { type: 'TEXT', jsonSchema: null },
    };
    expect(await sent(inner)).toEqual({
      ...expected,
      web_search_options: {},
      tools: [{ type: 'function', function: { name: 'f' } }],
      response_format: { type: 'text' },
    });
  });

  test.each<[Partial<ChatInput>, object]>([
    [{ streamOptions: {} }, { stream_options: { include_usage: true } }],
    [{ streamOptions: { includeUsage: true } }, { stream_options: { include_usage: true } }],
    [{ streamOptions: { includeUsage: null } }, { stream_options: { include_usage: true } }],
    [{ toolChoice: { mode: 'NONE' } }, { tool_choice: 'none' }],
    [{ toolChoice: { mode: 'AUTO' } }, { tool_choice: 'auto' }],
    [{ toolChoice: { mode: 'REQUIRED' }, tools: [{ function: { name: 'f' } }] }, { tool_choice: 'required' }],
    [{ responseFormat: { type: 'TEXT' } }, { response_format: { type: 'text' } }],
    [
      { webSearchOptions: { searchContextSize: 'LOW' } },
      { web_search_options: { search_context_size: 'low' } },
    ],
    [
      { webSearchOptions: { searchContextSize: 'MEDIUM' } },
      { web_search_options: { search_context_size: 'medium' } },
    ],
    [{ enableThinking: false }, { enable_thinking: false }],
    [{ maxTokens: 0 }, { max_tokens: 0 }],
    [{ temperature: 0 }, { temperature: 0 }],
    [{ stop: 'x' as never }, { stop: ['x'] }],
    [{ model: 'o3-high' }, { model: 'o3-high' }],
    [{ model: 'claude-search-thinking' }, { model: 'claude-search-thinking' }],
  ])('%j becomes %j', async (members, expected) => {
    expect(await sent(ask('Hi', members))).toMatchObject(expected);
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['0', 0],
    ['7', '7'],
  ])('contains the exact digits of seed %s', async (digits, seed) => {
    expect(await sentText(ask('Hi', { seed }))).toContain(`"seed":${digits}}`);
  });

  test.each([1.5, -0.25, 1e-7, 3])('contains the fractional seed %d', async (seed) => {
    expect(await sent(ask('Hi', { seed }))).toMatchObject({ seed });
  });

  test('contains the exact digits of wide integers in a JSON value', async () => {
    await using scripted = await startScripted();
    const running = scripted.app.run(`mutation { startChat(input: {
      model: "m", messages: [{ role: USER, content: { text: "Hi" } }]
      seed: 18446744073709551615, extra: { id: 12345678901234567890 }, extraBody: { deep: [98765432109876543210] }
    }) { __typename } }`);
    const { text, send } = await scripted.gateway.exchange(0);
    send('[DONE]');
    await running;
    expect(text).toContain('"seed":18446744073709551615');
    expect(text).toContain('"id":12345678901234567890');
    expect(text).toContain('"deep":[98765432109876543210]');
  });

  test('contains undeclared members unchanged, after the declared ones', async () => {
    const extra = { mood: null, constructor: { a: 1 }, nested: { b: [null] } };
    const text = await sentText(ask('Hi', { extra }));
    expect(text.endsWith('"mood":null,"constructor":{"a":1},"nested":{"b":[null]}}')).toBe(true);
  });

  test('contains any text unchanged', async () => {
    const said = 'a\u0000b"\\\u2028\u{1f600}\n漢';
    expect(JSON.parse(await sentText(ask(said)))).toMatchObject({ messages: [{ content: said }] });
  });
});

describe('the headers of a chat request', () => {
  const name = 'X-Forwarded-HoAPP-Codest';

  test('contain the credential as Bearer and the JSON media type', async () => {
    await startChat(app, { input: ask('Hi') });
    expect(app.sandbox.activity.requests().at(-1)?.headers).toMatchObject({
      authorization: 'Bearer sk-sandbox',
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
    });
  });

  test.each(['sk-sandbox', 'Bearer sk-sandbox', 'bearer   sk-sandbox'])(
    'contain the credential from %j',
    async (given) => {
      made(await startChat(app, { input: ask('Hi') }, { authorization: given }));
      expect(app.sandbox.activity.requests().at(-1)?.headers['authorization']).toBe('Bearer sk-sandbox');
    },
  );

  test(`forward ${name} from HTTP headers and connectionParams`, async () => {
    await startChat(app, { input: ask('Hi') }, { ...sandboxKey, [name]: 'over http' });
    expect(app.sandbox.activity.requests().at(-1)?.headers[name.toLowerCase()]).toBe('over http');
    for (const connectionParams of [
      { Authorization: 'Bearer sk-sandbox', [name]: 'over a socket' },
      { token: 'sk-sandbox', [name.toLowerCase()]: 'over a socket' },
    ]) {
      await nextEvent(streamChat(app.wsClient({ connectionParams }), { input: ask('Hi') }));
      expect(app.sandbox.activity.requests().at(-1)?.headers).toMatchObject({
        authorization: 'Bearer sk-sandbox',
        [name.toLowerCase()]: 'over a socket',
      });
    }
  });

  test('contain no other headers of the caller', async () => {
    await startChat(
      app,
      { input: ask('Hi') },
      { ...sandboxKey, cookie: 'a=b', 'x-end-user': 'ann', 'x-other': '1' },
    );
    const names = Object.keys(app.sandbox.activity.requests().at(-1)?.headers ?? {});
    expect(names.filter((header) => /cookie|x-end-user|x-other|forwarded/.test(header))).toEqual([]);
  });
});

describe('the record of a chat', () => {
  test('contains the request as sent, with inline media replaced by size and hash', async () => {
    const data = Buffer.alloc(3000, 7).toString('base64');
    const url = `DATA:image/png;base64,${data}`;
    const { id } = made(
      await startChat(app, {
        input: ask('Hi', {
          messages: [
            { role: 'USER', content: { parts: [{ text: 'Look' }, { imageUrl: { url, detail: 'LOW' } }] } },
          ],
        }),
      }),
    );
    const { data: found } = await app.run<{ generation: { input: unknown; prompt: string } }, object>(
      'query ($id: ID!) { generation(by: { id: $id }) { input prompt } }',
      { id },
    );
    expect(found?.generation).toMatchObject({
      prompt: 'Look',
      input: {
        model: 'gpt-4o',
        seed: 7,
        stream: true,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              {
                image_url: {
                  detail: 'low',
                  url: expect.stringMatching(/^DATA:image\/png;base64: 3000 bytes, sha256 [\da-f]{64}$/),
                },
              },
            ],
          },
        ],
      },
    });
    expect(JSON.stringify(found)).not.toContain('sk-sandbox');
  });

  test("shows the request's messages and the reply", async () => {
    const query = `mutation ($input: ChatInput!) { createChatCompletion(input: $input) {
      ... on Generation { output { ... on ChatCompletion { messages {
        role content name toolCallId reasoningContent parts { __typename ... on ChatTextPart { text } ... on ChatImagePart { url detail } } toolCalls { id name arguments }
      } } } }
      ... on GengraphError { code message }
    } }`;
    const { data } = await app.run(query, { input });
    expect(data).toMatchObject({
      createChatCompletion: {
        output: {
          messages: [
            { role: 'SYSTEM', content: 'Be JSON.', parts: null },
            { role: 'DEVELOPER', content: '' },
            {
              role: 'USER',
              name: 'ann',
              content: null,
              parts: [
                { __typename: 'ChatTextPart', text: 'Look' },
                { __typename: 'ChatImagePart', url: 'https://example.com/a.png', detail: null },
                { url: image, detail: 'high' },
                { detail: 'low' },
                { detail: 'auto' },
              ],
            },
            {
              role: 'ASSISTANT',
              // It had none. The gateway requires the member, so it was sent empty.
              content: null,
              reasoningContent: 'Hm.',
              toolCalls: [{ id: 'c1', name: 'f', arguments: '{"a":1}' }, { id: 'c2' }],
            },
            { role: 'TOOL', toolCallId: 'c1', content: '{"ok":true}' },
          ],
        },
      },
    });
  });
});
