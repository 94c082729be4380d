import { describe, expect, test } from 'vitest';
import { postChat, readError, startSandbox, user } from '../support.ts';

const sandbox = await startSandbox();

const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const tool = { type: 'function', function: { name: 'f' } };
const asked = { role: 'user', content: 'json' };

describe('a chat request', () => {
  test('accepts every member of the document', async () => {
    const messages = [
      { role: 'system', content: 'Be kind.', name: 'boss' },
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'Hi json' }, image('https://example.com/a.png', 'auto')],
      },
      { role: 'assistant', content: '', tool_calls: [call], reasoning_content: 'Hm.' },
      { role: 'tool', content: '{"a":1}', tool_call_id: 'c1' },
    ];
    const request = {
      model: 'm',
      messages,
      stream: false,
      stream_options: { include_usage: true },
      max_tokens: 100,
      max_completion_tokens: 100,
      temperature: 2,
      top_p: 0,
      n: 1,
      stop: ['a', 'b', 'c', 'd'],
      presence_penalty: -2,
      frequency_penalty: 2,
      logit_bias: { '50256': -100, '1': 100 },
      seed: -3,
      user: 'u',
      response_format: { type: 'text' },
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning_effort: 'low',
      enable_thinking: true,
      extra_body: { enable_thinking: true, google: { response_modalities: ['TEXT'] }, anything: 1 },
      web_search_options: { search_context_size: 'low', user_location: { country: 'CH' } },
    };
    expect((await postChat(sandbox, request)).status).toBe(200);
  });

  test('accepts the older form of tools, which an example sends', async () => {
    const functions = [{ name: 'f', description: 'd', parameters: {} }];
    const request = { messages: user('Hi'), functions, tool_choice: 'auto' };
    expect((await postChat(sandbox, request)).status).toBe(200);
  });

  test('needs no content type', async () => {
    const response = await fetch(`${sandbox.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.apiKey}`, 'x-forwarded-hoapp-codest': 'x' },
      body: new TextEncoder().encode(JSON.stringify({ model: 'm', messages: user('Hi') })),
    });
    expect(response.status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['model', undefined],
    ['model', ''],
    ['model', 1],
    ['messages', undefined],
    ['messages', []],
    ['messages', 'hi'],
    ['stream', 'true'],
    ['stream_options', true],
    ['stream_options.include_usage', 1],
    ['stream_options.other', 1],
    ['max_tokens', -1],
    ['max_tokens', 1.5],
    ['max_tokens', '10'],
    ['max_completion_tokens', -1],
    ['temperature', 2.1],
    ['temperature', -0.1],
    ['temperature', '1'],
    ['top_p', 1.1],
    ['top_p', -0.1],
    ['n', 0],
    ['n', 1.5],
    ['n', 1_000_000_000],
    ['stop', 5],
    ['stop', ['a', 'b', 'c', 'd', 'e']],
    ['stop', [1]],
    ['presence_penalty', 2.1],
    ['frequency_penalty', -2.1],
    ['logit_bias', []],
    ['logit_bias.5', 101],
    ['logit_bias.5', '1'],
    ['logit_bias.word', 1],
    ['seed', '1'],
    ['user', 1],
    ['response_format', 'json'],
    ['response_format.type', 'xml'],
    ['response_format.json_schema', 'x'],
    ['tools', {}],
    ['tool_choice', 'any'],
    ['tool_choice', { type: 'function' }],
    ['parallel_tool_calls', 'no'],
    ['reasoning_effort', 1],
    ['enable_thinking', 'true'],
    ['extra_body', 1],
    ['extra_body.enable_thinking', 1],
    ['extra_body.google', 1],
    ['web_search_options.search_context_size', 'huge'],
    ['web_search_options.user_location', 'CH'],
    ['web_search_options.other', 1],
    ['functions', {}],
    ['maxTokens', 5],
    ['foo', null],
    ['user', null],
  ])('with %s of %j is refused by name', async (path, value) => {
    expect(await refuse(withMember({ messages: [asked] }, path, value))).toMatchObject(refusal(path));
  });

  test.each<[string, unknown]>([
    ['messages[0].role', { role: 'bot', content: 'x' }],
    ['messages[0].role', { content: 'x' }],
    ['messages[0].content', { role: 'user', content: 5 }],
    ['messages[0].content', { role: 'user', content: null }],
    ['messages[0].content: is required', { role: 'user' }],
    ['messages[0].content: is required', { role: 'assistant', name: 'x' }],
    ['messages[0].contents', { role: 'user', contents: 'x' }],
    ['messages[0].name', { role: 'user', content: 'x', name: 1 }],
    ['messages[0].refusal', { role: 'assistant', content: 'x', refusal: 5 }],
    ['messages[0].audio', { role: 'assistant', content: 'x', audio: null }],
    ['messages[0].content[0]', { role: 'user', content: ['x'] }],
    ['messages[0].content[0].type', { role: 'user', content: [{ type: 'audio' }] }],
    ['messages[0].content[0].text', { role: 'user', content: [{ type: 'text' }] }],
    ['messages[0].content[0].image_url', { role: 'user', content: [{ type: 'image_url' }] }],
    [
      'messages[0].content[0].image_url.url',
      { role: 'user', content: [{ type: 'image_url', image_url: {} }] },
    ],
    ['messages[0].content[0].image_url.url', { role: 'user', content: [image('ftp://x/y')] }],
    ['messages[0].content[0].image_url.url', { role: 'user', content: [image('data:image/png;base64,%%%')] }],
    [
      'messages[0].content[0].image_url.url',
      { role: 'user', content: [image('data:text/plain;base64,aGk=')] },
    ],
    ['messages[0].content[0].image_url.detail', { role: 'user', content: [image('https://x/y', 'max')] }],
    ['messages[0].content[0].image', { role: 'user', content: [{ type: 'text', text: 'x', image: 1 }] }],
    ['messages[0].tool_call_id', { role: 'tool', content: 'x' }],
    ['messages[0].tool_call_id', { role: 'tool', content: 'x', tool_call_id: 'nobody' }],
    ['messages[0].tool_calls[0].id', { role: 'assistant', tool_calls: [{ ...call, id: undefined }] }],
    ['messages[0].tool_calls[0].type', { role: 'assistant', tool_calls: [{ ...call, type: 'code' }] }],
    ['messages[0].tool_calls[0].index', { role: 'assistant', tool_calls: [{ ...call, index: 0 }] }],
    [
      'messages[0].tool_calls[0].function.arguments',
      { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: {} } }] },
    ],
    [
      'messages[0].tool_calls[0].function.arguments',
      { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: '{' } }] },
    ],
  ])('with a wrong %s is refused by name', async (path, message) => {
    expect(await refuse({ messages: [message, asked] })).toMatchObject(refusal(path));
  });

  test.each<[string, Record<string, unknown>]>([
    ['tools[0].type', { tools: [{ type: 'retrieval', function: { name: 'f' } }] }],
    ['tools[0].function', { tools: [{ type: 'function' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    [
      'tools[0].function.parameters',
      { tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] },
    ],
    ['tools[0].function.args', { tools: [{ type: 'function', function: { name: 'f', args: {} } }] }],
    ['functions[0].name', { functions: [{ description: 'd' }] }],
    ['tool_choice', { tool_choice: 'required' }],
    [
      'tool_choice.function.name',
      { tools: [tool], tool_choice: { type: 'function', function: { name: 'g' } } },
    ],
    ['tool_choice.function.name', { tools: [tool], tool_choice: { type: 'function', function: {} } }],
    ['messages', { messages: user('Hello'), response_format: { type: 'json_object' } }],
    ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
    [
      'response_format.json_schema.schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'thing' } } } },
    ],
    [
      'response_format.json_schema.schema',
      { response_format: { type: 'json_schema', json_schema: { schema: { type: 'string', pattern: '(' } } } },
    ],
    [
      'parameters of "f"',
      {
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: { properties: { a: { $ref: '#/no' } }, required: ['a'] } },
          },
        ],
        tool_choice: 'required',
      },
    ],
  ])('with a wrong %s is refused by name, case %#', async (path, changes) => {
    expect(await refuse({ messages: [asked], ...changes })).toMatchObject(refusal(path));
  });

  test('gets one error that names all wrong members', async () => {
    const response = await postChat(sandbox, { messages: user('Hi'), temperature: 9, top_p: 9, foo: 1 });
    const { message } = await readError(response);
    for (const name of ['temperature', 'top_p', 'foo: unknown member']) expect(message).toContain(name);
  });

  test('must be an object', async () => {
    for (const body of ['[]', '"x"', 'null', '5']) {
      const response = await fetch(`${sandbox.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.apiKey}` },
        body: new TextEncoder().encode(body),
      });
      expect(await readError(response)).toMatchObject({ status: 400, type: 'invalid_request_error' });
    }
  });

  test('accepts content null beside tool_calls', async () => {
    const messages = [asked, { role: 'assistant', content: null, tool_calls: [call] }];
    const answer = { role: 'tool', content: 'done', tool_call_id: 'c1' };
    expect((await postChat(sandbox, { messages: [...messages, answer] })).status).toBe(200);
  });
});

describe('the credential of a chat request', () => {
  test.each(['', 'sk-sandbox', 'Basic c2s=', 'Bearer', 'Bearer sk-unknown', 'sandbox-system'])(
    '"%s" is 401',
    async (authorization) => {
      const response = await fetch(`${sandbox.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{',
      });
      const error = await readError(response);
      expect(error).toEqual({
        status: 401,
        message: expect.any(String),
        type: 'new_api_error',
        code: expect.any(String),
      });
    },
  );

  test('in another place is 401', async () => {
    const response = await fetch(`${sandbox.url}/v1/chat/completions?key=sk-sandbox`, {
      method: 'POST',
      headers: { 'api-key': 'sk-sandbox' },
    });
    expect(await readError(response)).toMatchObject({ status: 401, code: 'missing_credential' });
  });
});

function image(url: string, detail?: string): Record<string, unknown> {
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}

/** Sets `a.b` of a request. */
function withMember(request: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [name = '', inner] = path.split('.');
  return { ...request, [name]: inner === undefined ? value : { [inner]: value } };
}

async function refuse(request: Record<string, unknown>): Promise<unknown> {
  return readError(await postChat(sandbox, request));
}

function refusal(path: string): Record<string, unknown> {
  return {
    status: 400,
    type: 'invalid_request_error',
    code: 'invalid_request',
    message: expect.stringContaining(path),
  };
}
