import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { complete, joinChunks, postChat, readChunks, startSandbox, user, type Message } from '../support.ts';

const sandbox = await startSandbox();

const weatherParameters = {
  type: 'object',
  properties: {
    location: { type: 'string', minLength: 2 },
    unit: { enum: ['celsius', 'fahrenheit'] },
    days: { type: 'integer', minimum: 1, maximum: 7 },
  },
  required: ['location', 'unit'],
  additionalProperties: false,
};
const weather = {
  type: 'function',
  function: { name: 'get_weather', description: 'Get the current weather', parameters: weatherParameters },
};
const stocks = {
  type: 'function',
  function: {
    name: 'lookupPrice',
    description: 'Price of a company share on the exchange',
    parameters: {
      type: 'object',
      properties: { ticker: { type: 'string', pattern: '^[A-Z]{1,5}$' } },
      required: ['ticker'],
    },
  },
};

describe('with tool_choice auto', () => {
  test('a prompt that needs a tool is answered with its call', async () => {
    const { choices } = await complete(sandbox, {
      messages: user('What is the weather in Oslo for 3 days, in fahrenheit?'),
      tools: [stocks, weather],
    });
    expect(choices[0]).toMatchObject({
      message: {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          { id: expect.stringMatching(/^call_\w{24}$/), type: 'function', function: { name: 'get_weather' } },
        ],
      },
      finish_reason: 'tool_calls',
    });
    expect(readArguments(choices[0]?.message)).toEqual([{ location: 'Oslo', unit: 'fahrenheit', days: 3 }]);
  });

  test('a text answers any other prompt', async () => {
    const { choices } = await complete(sandbox, {
      messages: user('Tell me about owls'),
      tools: [stocks, weather],
    });
    expect(choices[0]).toMatchObject({
      message: { content: expect.stringContaining('owls') },
      finish_reason: 'stop',
    });
    expect(choices[0]?.message).not.toHaveProperty('tool_calls');
  });

  test.each(['use lookupPrice', 'What does one share cost?', 'LOOKUP something'])(
    'a tool is found by its name and description: "%s"',
    async (prompt) => {
      const { choices } = await complete(sandbox, { messages: user(prompt), tools: [stocks, weather] });
      expect(choices[0]?.message.tool_calls?.map((call) => call.function.name)).toEqual(['lookupPrice']);
    },
  );
});

describe('with another tool_choice', () => {
  test('none calls nothing', async () => {
    const request = { messages: user('weather in Oslo'), tools: [weather], tool_choice: 'none' };
    const { choices } = await complete(sandbox, request);
    expect(choices[0]?.finish_reason).toBe('stop');
  });

  test('required calls a tool for any prompt', async () => {
    const request = { messages: user('Hello'), tools: [weather], tool_choice: 'required' };
    const { choices } = await complete(sandbox, request);
    expect(choices[0]?.message.tool_calls).toHaveLength(1);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('a named function is the only one called', async () => {
    const tool_choice = { type: 'function', function: { name: 'lookupPrice' } };
    const request = { messages: user('weather in Oslo'), tools: [weather, stocks], tool_choice };
    const { choices } = await complete(sandbox, request);
    expect(choices[0]?.message.tool_calls?.map((call) => call.function.name)).toEqual(['lookupPrice']);
  });
});

describe('several calls', () => {
  const prompt = 'Compare the weather in Oslo and New York, and the share price';

  test('come in one reply', async () => {
    const { choices } = await complete(sandbox, { messages: user(prompt), tools: [weather, stocks] });
    const calls = choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => call.function.name)).toEqual(['get_weather', 'get_weather', 'lookupPrice']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    expect(readArguments(choices[0]?.message).slice(0, 2)).toMatchObject([
      { location: 'Oslo' },
      { location: 'New York' },
    ]);
  });

  test('are reduced to one by parallel_tool_calls false', async () => {
    const request = { messages: user(prompt), tools: [weather, stocks], parallel_tool_calls: false };
    const { choices } = await complete(sandbox, request);
    expect(choices[0]?.message.tool_calls).toHaveLength(1);
  });

  test('are streamed in fragments by index, with id and name once', async () => {
    const request = { messages: user(prompt), tools: [weather, stocks], seed: 3 };
    const whole = await complete(sandbox, request);
    const chunks = await readChunks(await postChat(sandbox, { ...request, stream: true }));
    expect(chunks[0]?.choices?.[0]?.delta).toEqual({ role: 'assistant', content: null });
    const fragments = chunks.flatMap(({ choices }) => choices?.[0]?.delta.tool_calls ?? []);
    expect(fragments.filter(({ id }) => id !== undefined).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(fragments.filter((item) => item.function.name !== undefined)).toHaveLength(3);
    expect(fragments.length).toBeGreaterThan(12);
    const [joined] = joinChunks(chunks);
    expect(joined?.message.tool_calls).toEqual(whole.choices[0]?.message.tool_calls);
    expect(joined?.finishReason).toBe('tool_calls');
    expect(whole.usage.completion_tokens).toBe(fragments.length - 3);
  });
});

test('arguments satisfy the schema for every seed', async () => {
  const parameters = {
    type: 'object',
    properties: {
      range: { $ref: '#/$defs/range' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true },
      when: { type: 'string', format: 'date' },
      filter: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/range' }] },
    },
    required: ['range', 'tags', 'filter'],
    additionalProperties: false,
    $defs: {
      range: {
        type: 'object',
        properties: { low: { type: 'number', minimum: 0, exclusiveMaximum: 1 }, high: { const: 1 } },
        required: ['low', 'high'],
      },
    },
  };
  const validate = new Ajv({ strict: false, formats: { date: true } }).compile(parameters);
  const tools = [{ type: 'function', function: { name: 'search', parameters } }];
  for (let seed = 0; seed < 20; seed += 1) {
    const request = { messages: user('search 3.5 things'), tools, tool_choice: 'required', seed };
    const { choices } = await complete(sandbox, request);
    const wrong = readArguments(choices[0]?.message).filter((value) => !validate(value));
    expect(wrong).toEqual([]);
  }
});

test('a tool without parameters is called with an empty object', async () => {
  const tools = [{ type: 'function', function: { name: 'ping' } }];
  const { choices } = await complete(sandbox, { messages: user('ping'), tools });
  expect(choices[0]?.message.tool_calls?.[0]?.function).toEqual({ name: 'ping', arguments: '{}' });
});

test('a token limit cuts the arguments', async () => {
  const request = { messages: user('weather in Oslo'), tools: [weather], seed: 1, max_tokens: 4 };
  const { choices } = await complete(sandbox, request);
  expect(choices[0]?.finish_reason).toBe('length');
  expect(() => readArguments(choices[0]?.message)).toThrow('JSON');
});

describe('after the result of a tool', () => {
  const question = { role: 'user', content: 'What is the weather in Oslo?' };
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: 'get_weather', arguments: '{"location":"Oslo"}' },
  };
  const asked = [question, { role: 'assistant', content: null, tool_calls: [call] }];

  test.each([
    ['{"temperature_c": 21.5, "sky": "clear"}', ['temperature c is 21.5', 'sky is clear']],
    ['Rain until noon.', ['“Rain until noon”']],
    ['[{"day":"Mon"},{"day":"Tue"}]', ['day is Mon', 'day is Tue']],
    ['{}', ['no result']],
  ])('%s the reply is a text that uses the result', async (content, expected) => {
    const messages = [...asked, { role: 'tool', tool_call_id: 'c1', content }];
    const { choices } = await complete(sandbox, { messages, tools: [weather] });
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(choices[0]?.message.content).toContain('get_weather');
    for (const text of expected) expect(choices[0]?.message.content).toContain(text);
  });

  test('the next question may call a tool again', async () => {
    const result = { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear"}' };
    const next = { role: 'user', content: 'And the weather in Rome?' };
    const { choices } = await complete(sandbox, { messages: [...asked, result, next], tools: [weather] });
    expect(readArguments(choices[0]?.message)).toMatchObject([{ location: 'Rome' }]);
  });
});

test('many tools beside a long prompt are no fault of their schemas', async () => {
  const tools = Array.from({ length: 64 }, (_, index) => ({
    type: 'function',
    function: { name: `tool_${index}`, description: 'Reads a widget', parameters: weatherParameters },
  }));
  const messages = user(
    'Sum up what several colleagues say about budgets, hiring and travel plans. '.repeat(250),
  );
  const { choices } = await complete(sandbox, { messages, tools, n: 8 });
  expect(choices.map((choice) => choice.finish_reason)).toEqual(Array.from({ length: 8 }, () => 'stop'));
});

describe('the older form of tools', () => {
  const request = {
    messages: user('weather in Oslo'),
    functions: [weather.function],
    tool_choice: 'auto',
    seed: 1,
  };

  test('has a reply in the older form', async () => {
    const { choices } = await complete(sandbox, request);
    expect(choices[0]).toMatchObject({
      message: { content: null, function_call: { name: 'get_weather' } },
      finish_reason: 'function_call',
    });
    const chunks = await readChunks(await postChat(sandbox, { ...request, stream: true }));
    expect(joinChunks(chunks)[0]).toMatchObject({
      message: { function_call: choices[0]?.message.function_call },
      finishReason: 'function_call',
    });
  });
});

function readArguments(message: Message | undefined): unknown[] {
  return (message?.tool_calls ?? []).map((call) => JSON.parse(call.function.arguments) as unknown);
}
