import { describe, expect, test } from 'vitest';
import { ask, complete, joinChunks, postChat, readChunks, startSandbox, user } from '../support.ts';

const sandbox = await startSandbox({ clock: () => 1_700_000_000_500 });

describe('a whole reply', () => {
  test('has the shape of a chat completion', async () => {
    const completion = await complete(sandbox, 'Tell me about owls');
    const { usage } = completion;
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-\w{29}$/),
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'gpt-test',
      system_fingerprint: expect.stringMatching(/^fp_\w{10}$/),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringMatching(/owls/), refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: usage.prompt_tokens + usage.completion_tokens,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  test('is the same for the same seed, whole and streamed', async () => {
    const request = { messages: user('Explain the history of chess 🙂'), seed: 7, n: 2 };
    const [one, two] = [await complete(sandbox, request), await complete(sandbox, request)];
    expect(two.choices).toEqual(one.choices);
    expect(two.id).not.toBe(one.id);
    const chunks = await readChunks(await postChat(sandbox, { ...request, stream: true }));
    const streamed = joinChunks(chunks).map(({ message }) => message);
    expect(streamed).toEqual(one.choices.map(({ message }) => message));
  });

  test('accepts a 64-bit seed without losing digits', async () => {
    const text = async (seed: string): Promise<string> => {
      const messages = JSON.stringify(user('Tell me about rivers'));
      const response = await fetch(`${sandbox.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.apiKey}` },
        body: new TextEncoder().encode(`{"model":"m","messages":${messages},"seed":${seed}}`),
      });
      expect(response.status).toBe(200);
      const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
      return choices[0]?.message.content ?? '';
    };
    const first = await text('9223372036854775807');
    expect(await text('9223372036854775807')).toBe(first);
    expect(await text('9223372036854775806')).not.toBe(first);
  });

  test('varies without a seed, but not at temperature 0', async () => {
    const texts = async (changes: Record<string, unknown>): Promise<number> => {
      const replies = await Promise.all(
        [1, 2, 3, 4].map(() => ask(sandbox, { messages: user('Tell me about rivers'), ...changes })),
      );
      return new Set(replies).size;
    };
    expect(await texts({})).toBeGreaterThan(1);
    expect(await texts({ temperature: 0 })).toBe(1);
  });

  test('follows the injected randomness', async () => {
    const replies = [];
    for (let round = 0; round < 2; round += 1) {
      const fixed = await startSandbox({ random: () => 0.25 });
      replies.push(await complete(fixed, 'Tell me about rivers'));
    }
    expect(replies[1]).toEqual({ ...replies[0], created: expect.any(Number) });
  });

  test('has n different choices', async () => {
    for (const prompt of ['Tell me about rivers', 'count to 5', 'What is 2 + 2?', 'Hello']) {
      const { choices } = await complete(sandbox, { messages: user(prompt), n: 6, seed: 1 });
      expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(new Set(choices.map(({ message }) => message.content)).size).toBe(6);
    }
  });
});

describe('limits of a reply', () => {
  test('stop cuts the text before the first of its strings', async () => {
    const count = { messages: user('Say exactly: alpha beta gamma delta'), seed: 1 };
    const cut = async (stop: unknown): Promise<[string | null | undefined, string | undefined]> => {
      const { choices } = await complete(sandbox, { ...count, stop });
      return [choices[0]?.message.content, choices[0]?.finish_reason];
    };
    expect(await cut('gamma')).toEqual(['alpha beta ', 'stop']);
    expect(await cut(['nothing', 'delta', ' beta', ''])).toEqual(['alpha', 'stop']);
    expect(await cut('absent')).toEqual(['alpha beta gamma delta', 'stop']);
  });

  test.each(['max_tokens', 'max_completion_tokens'])('%s limits the tokens of the reply', async (member) => {
    const whole = await complete(sandbox, { messages: user('count to 50'), seed: 1 });
    const cut = await complete(sandbox, { messages: user('count to 50'), seed: 1, [member]: 9 });
    expect(cut.usage.completion_tokens).toBe(9);
    expect(cut.choices[0]?.finish_reason).toBe('length');
    expect(whole.choices[0]?.message.content?.startsWith(cut.choices[0]?.message.content ?? '!')).toBe(true);
    const enough = await complete(sandbox, { messages: user('count to 50'), seed: 1, [member]: 5000 });
    expect(enough.choices).toEqual(whole.choices);
  });

  test('a limit of 0 leaves no text, and a limit of the exact length cuts nothing', async () => {
    const none = await complete(sandbox, { messages: user('Hello'), max_tokens: 0 });
    expect(none.choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'length' });
    const whole = await complete(sandbox, { messages: user('count to 50'), seed: 1 });
    const exact = await complete(sandbox, {
      messages: user('count to 50'),
      seed: 1,
      max_tokens: whole.usage.completion_tokens,
    });
    expect(exact.choices).toEqual(whole.choices);
  });

  test('max_completion_tokens overrides max_tokens and includes the reasoning', async () => {
    const { choices, usage } = await complete(sandbox, {
      model: 'm-thinking',
      messages: user('Tell me about owls'),
      max_tokens: 500,
      max_completion_tokens: 6,
    });
    expect(usage).toMatchObject({ completion_tokens: 6, completion_tokens_details: { reasoning_tokens: 6 } });
    expect(choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'length' });
  });
});

describe('the text', () => {
  test('answers a greeting with a greeting', async () => {
    expect(await ask(sandbox, 'Hello!')).toMatch(/^(Hello|Hi|Hey|Good to see you)/);
  });

  test('counts to the number in the prompt', async () => {
    const numbers = (await ask(sandbox, 'Please count to 50')).match(/\d+/g)?.map(Number);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  test.each([
    ['What is 12 * 7?', '84'],
    ['What is the capital of France?', 'Paris'],
    ['Reply with exactly: ok 👍', /^ok 👍$/],
    ['Write a python function to sort users', '```python'],
    ['Give me 4 tips for better sleep', /(- \*\*.*\n){4}/],
    ['How do I bake sourdough bread?', /1\. .*baking sourdough bread/],
    ['Write a haiku about cats', /cats/],
    ['tell me a joke', /\w+/],
    ['I am sad today', /sorry|hard|Thank you/],
    ['', /\w+/],
    ['Translate "good morning" to French', 'bonjour'],
    ['List 3 fruits', /^1\. \w+\n2\. \w+\n3\. \w+$/],
    ['Which is better, TypeScript or Rust?', /TypeScript[^]*Rust/],
    ['请介绍一下北京的历史', /北京的历史/],
    ['你好', /你好|您好/],
    ['Was ist Photosynthese?', /Photosynthese/],
  ])('answers "%s"', async (prompt, expected) => {
    const text = await ask(sandbox, prompt);
    expect(text).toMatch(expected);
  });

  test('has the length that the prompt asks for', async () => {
    const tokens = async (prompt: string): Promise<number> =>
      (await complete(sandbox, prompt)).usage.completion_tokens;
    for (const prompt of [
      'Tell me a story about a fox',
      'Write an essay about the sea',
      'Explain tides in detail',
    ]) {
      const long = await tokens(prompt);
      expect(long).toBeGreaterThanOrEqual(400);
      expect(long).toBeLessThanOrEqual(700);
    }
    for (let round = 0; round < 20; round += 1) {
      const short = await tokens('Tell me about tides');
      expect(short).toBeGreaterThanOrEqual(40);
      expect(short).toBeLessThanOrEqual(120);
    }
    for (const words of [150, 1000]) {
      const text = await ask(sandbox, `Write ${words} words about tides`);
      expect(Math.abs(text.split(/\s+/).length - words)).toBeLessThan(35);
    }
  });

  test('sometimes has paragraphs, emojis and other non-ASCII characters', async () => {
    const texts = await Promise.all(Array.from({ length: 40 }, () => ask(sandbox, 'Tell me about tides')));
    expect(texts.some((text) => text.includes('\n\n'))).toBe(true);
    expect(texts.some((text) => /\p{Extended_Pictographic}/u.test(text))).toBe(true);
    expect(texts.some((text) => /[é—ï]/.test(text))).toBe(true);
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  test('refers to earlier messages', async () => {
    const messages = [
      { role: 'system', content: 'You are Ada, a patient teacher.' },
      { role: 'user', content: 'Hi, my name is Zoë. Tell me about black holes.' },
      { role: 'assistant', content: 'Gladly.' },
    ];
    const next = (content: string): Promise<string> =>
      ask(sandbox, { messages: [...messages, { role: 'user', content }] });
    expect(await next('What is my name?')).toBe('Your name is Zoë.');
    expect(await next('Who are you?')).toContain('Ada');
    expect(await next('What did I ask first?')).toContain('my name is Zoë. Tell me about black holes.');
    expect(await next('And what about neutron stars?')).toMatch(/Zoë.*black holes[^]*neutron stars/);
    expect(await ask(sandbox, 'What is my name?')).toContain('not told me');
  });

  test('describes the images of the message', async () => {
    const png =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAYAAAB/qH1jAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const content = [
      { type: 'text', text: 'Describe these pictures' },
      { type: 'image_url', image_url: { url: png, detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a/cat.jpg?x=1' } },
    ];
    const { choices, usage } = await complete(sandbox, { messages: user(content) });
    expect(choices[0]?.message.content).toContain(
      'I received a PNG image of 4×2 pixels and the image at example.com/cat.jpg.',
    );
    expect(usage.prompt_tokens).toBeGreaterThan(300);
  });
});

describe('thinking', () => {
  test.each([
    { model: 'm-thinking' },
    { model: 'm-search-thinking' },
    { enable_thinking: true },
    { extra_body: { enable_thinking: true } },
    { extra_body: { google: { thinking_config: { include_thoughts: true } } } },
  ])('precedes the content with %j', async (changes) => {
    const request = { messages: user('Tell me about owls'), seed: 1, ...changes };
    const { choices, usage } = await complete(sandbox, request);
    expect(choices[0]?.message.reasoning_content).toMatch(/\w+/);
    expect(usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(5);
    expect(usage.completion_tokens_details.reasoning_tokens).toBeLessThan(usage.completion_tokens);
    const chunks = await readChunks(await postChat(sandbox, { ...request, stream: true }));
    const kinds = chunks.flatMap(({ choices }) => Object.keys(choices?.[0]?.delta ?? {}));
    expect(kinds.lastIndexOf('reasoning_content')).toBeLessThan(kinds.indexOf('content', 2));
    expect(joinChunks(chunks)[0]?.message).toEqual(choices[0]?.message);
  });

  test('needs the value true, and is longer with more effort', async () => {
    const reasoning = async (changes: Record<string, unknown>): Promise<number> =>
      (await complete(sandbox, { messages: user('Tell me about owls'), seed: 1, ...changes })).usage
        .completion_tokens_details.reasoning_tokens;
    expect(await reasoning({ enable_thinking: false, extra_body: { enable_thinking: false } })).toBe(0);
    expect(await reasoning({ reasoning_effort: 'high' })).toBe(0);
    const [low, high] = [
      await reasoning({ enable_thinking: true, reasoning_effort: 'low' }),
      await reasoning({ enable_thinking: true, reasoning_effort: 'high' }),
    ];
    expect(high).toBeGreaterThan(low);
    expect(await reasoning({ model: 'o3-high-thinking' })).toBeGreaterThan(low);
  });
});

describe('web search', () => {
  test.each([{ model: 'm-search' }, { web_search_options: {} }])(
    'cites its sources with %j',
    async (changes) => {
      const request = { messages: user('News about electric cars'), seed: 1, ...changes };
      const { choices, model } = await complete(sandbox, request);
      const { content, annotations = [] } = choices[0]?.message ?? {};
      expect(annotations).toHaveLength(2);
      for (const { type, url_citation: citation } of annotations) {
        expect(type).toBe('url_citation');
        const cited = content?.slice(citation.start_index, citation.end_index);
        expect(cited).toBe(`[${citation.title}](${citation.url})`);
        expect(URL.canParse(citation.url)).toBe(true);
      }
      expect(model).not.toContain('search');
      const chunks = await readChunks(await postChat(sandbox, { ...request, stream: true }));
      expect(joinChunks(chunks)[0]?.message).toEqual(choices[0]?.message);
    },
  );

  test('has more sources with a larger context', async () => {
    const count = async (size: string): Promise<number | undefined> => {
      const request = {
        messages: user('News about cars'),
        web_search_options: { search_context_size: size },
      };
      return (await complete(sandbox, request)).choices[0]?.message.annotations?.length;
    };
    expect([await count('low'), await count('medium'), await count('high')]).toEqual([1, 2, 4]);
  });
});

describe('a reply with an image', () => {
  const painting = {
    messages: user('Paint a fox'),
    extra_body: { google: { response_modalities: ['TEXT', 'IMAGE'] } },
  };

  test('can be sent back unchanged', async () => {
    const { choices } = await complete(sandbox, painting);
    const message = choices[0]?.message;
    expect(message).toHaveProperty('images');
    const messages = [...painting.messages, message, ...user('Now in blue')];
    expect((await postChat(sandbox, { ...painting, messages })).status).toBe(200);
  });

  test('is the same at temperature 0', async () => {
    const [one, two] = await Promise.all(
      [0, 0].map((temperature) => complete(sandbox, { ...painting, temperature })),
    );
    expect(two?.choices).toEqual(one?.choices);
  });
});
