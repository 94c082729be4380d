import OpenAI, { APIError } from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../support.ts';
import { download } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const openai = new OpenAI({ apiKey: sandbox.apiKey, baseURL: `${sandbox.url}/v1`, maxRetries: 0 });
const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Tell me about owls' }];

describe('chat by the openai SDK', () => {
  test('is completed', async () => {
    const completion = await openai.chat.completions.create({ model: 'gpt-4o', messages });
    expect(completion.choices[0]?.message.content).toContain('owls');
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  });

  test('is streamed', async () => {
    const stream = await openai.chat.completions.create({
      model: 'gpt-4o',
      messages,
      seed: 1,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let tokens = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      tokens = chunk.usage?.total_tokens ?? tokens;
    }
    const whole = await openai.chat.completions.create({ model: 'gpt-4o', messages, seed: 1 });
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(tokens).toBe(whole.usage?.total_tokens);
  });

  test('works with the streaming helper', async () => {
    const stream = openai.chat.completions.stream({ model: 'gpt-4o', messages });
    expect(await stream.finalContent()).toContain('owls');
  });

  const tools: ChatCompletionTool[] = [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather of a city',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        },
      },
    },
  ];

  test('calls tools, and continues with the received message', async () => {
    const conversation: ChatCompletionMessageParam[] = [
      { role: 'user', content: 'What is the weather in Bern?' },
    ];
    const first = await openai.chat.completions.create({ model: 'gpt-4o', messages: conversation, tools });
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    if (!message || call?.type !== 'function') throw new Error('No tool was called');
    expect(JSON.parse(call.function.arguments)).toHaveProperty('city');
    const second = await openai.chat.completions.create({
      model: 'gpt-4o',
      messages: [
        ...conversation,
        message,
        { role: 'tool', tool_call_id: call.id, content: '{"degrees":21}' },
      ],
      tools,
    });
    expect(second.choices[0]?.message.content).toContain('21');
  });

  test('continues after a search with the received message', async () => {
    const first = await openai.chat.completions.create({ model: 'gpt-4o-search', messages });
    const message = first.choices[0]?.message;
    if (!message) throw new Error('There is no message');
    expect(message.annotations).not.toHaveLength(0);
    const more: ChatCompletionMessageParam = { role: 'user', content: 'And about foxes?' };
    const second = await openai.chat.completions.create({
      model: 'gpt-4o',
      messages: [...messages, message, more],
    });
    expect(second.choices[0]?.message.content).toContain('foxes');
  });

  test('runs tools by the helper', async () => {
    const runner = openai.chat.completions.runTools({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'What is the weather in Bern?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'The weather of a city',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            parse: JSON.parse,
            function: () => ({ degrees: 21 }),
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain('21');
  });

  test('fails with status, code and message if refused', async () => {
    const failure = openai.chat.completions.create({ model: 'unknown-model', messages });
    const error: unknown = await failure.catch((cause: unknown) => cause);
    if (!(error instanceof APIError)) throw new Error('Expected an APIError');
    expect(error).toMatchObject({ status: 503, code: 'model_not_found' });
    expect(error.message).toContain('No available channel');
  });
});

describe('images by the openai SDK', () => {
  test.each([
    ['gpt-image-1', '1536x1024'],
    ['dall-e-2', '256x256'],
    ['dall-e-3', '1792x1024'],
  ] as const)('of %s come as addresses', async (model, size) => {
    const { data = [], created } = await openai.images.generate({ model, prompt: 'a fox', size });
    expect(created).toBeGreaterThan(0);
    const [width, height] = size.split('x').map(Number);
    const bytes = await download(data[0]?.url ?? '');
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
  });

  test.each(['gpt-image-1', 'dall-e-2', 'dall-e-3'])('of %s come as base64', async (model) => {
    const { data = [] } = await openai.images.generate({
      model,
      prompt: 'a fox',
      size: '1024x1024',
      n: 2,
      user: 'me',
      response_format: 'b64_json',
    });
    expect(data).toHaveLength(2);
    const bytes = Buffer.from(data[0]?.b64_json ?? '', 'base64');
    expect((await sharp(bytes, { failOn: 'warning' }).stats()).entropy).toBeGreaterThan(2);
  });

  test('can ask dall-e-3 for finer detail and a style', async () => {
    const { data = [] } = await openai.images.generate({
      model: 'dall-e-3',
      prompt: 'a fox',
      quality: 'hd',
      style: 'natural',
    });
    expect(data[0]?.revised_prompt).toContain('a fox');
  });

  test('need no model', async () => {
    expect((await openai.images.generate({ prompt: 'a fox' })).data).toHaveLength(1);
  });

  test('fail with status and code if refused', async () => {
    await expect(
      openai.images.generate({ model: 'dall-e-3', prompt: 'fault:refused' }),
    ).rejects.toMatchObject({ status: 400, code: 'content_policy_violation' });
  });
});
