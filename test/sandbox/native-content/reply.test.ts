import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createKey, startSandbox } from '../support.ts';
import { drawImage } from '../tasks/support.ts';
import { createContentClient, say, toInlineData } from './support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const { generate, ask } = createContentClient(sandbox);

describe('a reply', () => {
  test('has every member that clients of this format read', async () => {
    const reply = await generate('Tell me about owls');
    const { promptTokenCount, candidatesTokenCount = 0 } = reply.usageMetadata;
    expect(reply).toEqual({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: expect.stringMatching(/owls/) }] },
          finishReason: 'STOP',
          index: 0,
          safetyRatings: expect.arrayContaining([
            { category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' },
          ]),
        },
      ],
      usageMetadata: {
        promptTokenCount,
        candidatesTokenCount,
        totalTokenCount: promptTokenCount + candidatesTokenCount,
      },
      modelVersion: 'gemini-2.5-flash',
      responseId: expect.stringMatching(/^\w{22}$/),
    });
    expect(promptTokenCount).toBeGreaterThan(0);
    expect(candidatesTokenCount).toBeGreaterThan(10);
  });

  test('refers to earlier contents', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'My name is Ada.' }] },
      { role: 'model', parts: [{ text: 'Hello Ada.' }] },
      { role: 'user', parts: [{ text: 'What is my name?' }] },
    ];
    expect(await ask({ contents })).toContain('Ada');
  });

  test('repeats the text of a prompt with "say exactly"', async () => {
    expect(await ask('say exactly: all is well')).toBe('all is well');
  });

  test('ends at maxOutputTokens', async () => {
    const { candidates, usageMetadata } = await generate({
      ...say('Tell me a story'),
      generationConfig: { maxOutputTokens: 5 },
    });
    expect(candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
    expect(usageMetadata.candidatesTokenCount).toBe(5);
  });

  test('has as many candidates as the request asks for', async () => {
    const { candidates } = await generate({
      ...say('Tell me about owls'),
      generationConfig: { candidateCount: 3 },
    });
    expect(candidates?.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test('is the same for the same seed', async () => {
    const request = { ...say('Tell me about owls'), generationConfig: { seed: 5 } };
    expect(await ask(request)).toBe(await ask(request));
  });

  test('has the thoughts in a separate part', async () => {
    const { candidates, usageMetadata } = await generate({
      ...say('Tell me about owls'),
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    });
    expect(candidates?.[0]?.content.parts).toMatchObject([{ thought: true }, { text: expect.any(String) }]);
    const { promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usageMetadata;
    expect(thoughtsTokenCount).toBeGreaterThan(0);
    expect(usageMetadata.totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount);
  });

  test('costs one unit per token', async () => {
    const key = await createKey(sandbox, { remain_quota: 10_000, group: 'vip' });
    const { usageMetadata } = await createContentClient(sandbox, key).generate('Tell me about owls');
    expect(sandbox.findToken(key)?.usedQuota).toBe(2 * usageMetadata.totalTokenCount);
  });
});

describe('inline data', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'of type %s is described in the reply',
    async (format) => {
      const image = toInlineData(await drawImage({ width: 64, height: 32 }, { format }));
      const text = await ask(say('What is this?', image));
      expect(text).toMatch(new RegExp(`^I received an? ${format.toUpperCase()} image of 64×32 pixels\\.`));
    },
  );

  test('is described by its actual type, not by its declared type', async () => {
    const { inline_data: image } = toInlineData(await drawImage({ width: 8, height: 8 }));
    const text = await ask(say({ inline_data: { ...image, mime_type: 'image/jpeg' } }));
    expect(text).toContain('a PNG image of 8×8 pixels');
  });

  test('of another type is described by its size', async () => {
    const file = { inline_data: { mime_type: 'application/pdf', data: 'JVBERi0xLjc=' } };
    expect(await ask(say('Summarise this', file))).toContain('a file of type application/pdf with 8 bytes');
  });

  test('counts as tokens of the prompt', async () => {
    const image = toInlineData(await drawImage({ width: 8, height: 8 }));
    const [plain, illustrated] = [await generate(say('Hi')), await generate(say('Hi', image, image))];
    expect(illustrated.usageMetadata.promptTokenCount).toBe(plain.usageMetadata.promptTokenCount + 2 * 258);
  });
});

describe('URL context', () => {
  const text =
    'Compare https://example.com/a?b=1, (https://example.org/c.html) and https://gone.invalid/. Again https://example.com/a?b=1!';
  const status = (word: string): string => `URL_RETRIEVAL_STATUS_${word}`;

  test.each(['urlContext', 'url_context'])('lists the retrieval status of each page, by %s', async (name) => {
    const { candidates } = await generate({ ...say(text), tools: [{ [name]: {} }] });
    expect(candidates?.[0]?.urlContextMetadata).toEqual({
      urlMetadata: [
        { retrievedUrl: 'https://example.com/a?b=1', urlRetrievalStatus: status('SUCCESS') },
        { retrievedUrl: 'https://example.org/c.html', urlRetrievalStatus: status('SUCCESS') },
        { retrievedUrl: 'https://gone.invalid/', urlRetrievalStatus: status('ERROR') },
      ],
    });
    expect(candidates?.[0]?.content.parts[0]?.text).toContain('the page at https://example.com/a?b=1');
  });

  test('is absent where it is off or the content has no address', async () => {
    const off = await generate(say(text));
    const none = await generate({ ...say('Hi'), tools: [{ urlContext: {} }] });
    for (const { candidates } of [off, none])
      expect(candidates?.[0]).not.toHaveProperty('urlContextMetadata');
  });

  test('covers at most 20 pages', async () => {
    const many = Array.from({ length: 25 }, (_, index) => `https://example.com/${index}`).join(' ');
    const { candidates } = await generate({ ...say(many), tools: [{ urlContext: {} }] });
    expect(candidates?.[0]?.urlContextMetadata?.urlMetadata).toHaveLength(20);
  });
});

describe('an image', () => {
  test.each<[string, object, number]>([
    ['gemini-2.5-flash-image', {}, 2],
    ['gemini-2.5-flash', { responseModalities: ['TEXT', 'IMAGE'] }, 2],
    ['gemini-2.5-flash', { responseModalities: ['Image'] }, 1],
  ])('is what %s with %j makes', async (model, generationConfig, count) => {
    const { candidates, usageMetadata } = await generate(
      { ...say('Draw a fox'), generationConfig },
      { model },
    );
    const parts = candidates?.[0]?.content.parts ?? [];
    expect(parts).toHaveLength(count);
    const { mimeType, data = '' } = parts.at(-1)?.inlineData ?? {};
    expect(mimeType).toBe('image/png');
    const bytes = Buffer.from(data, 'base64');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1024, height: 1024 });
    expect((await sharp(bytes, { failOn: 'warning' }).stats()).entropy).toBeGreaterThan(2);
    expect(usageMetadata.candidatesTokenCount).toBe(1290);
  });

  test('has the requested shape', async () => {
    const { candidates } = await generate(
      { ...say('Draw a fox'), generationConfig: { imageConfig: { aspectRatio: '16:9' } } },
      { model: 'gemini-2.5-flash-image' },
    );
    const { data = '' } = candidates?.[0]?.content.parts.at(-1)?.inlineData ?? {};
    expect(await sharp(Buffer.from(data, 'base64')).metadata()).toMatchObject({ width: 1360, height: 768 });
  });

  test('is absent where the request asks for text only', async () => {
    const { candidates } = await generate(
      { ...say('Draw a fox'), generationConfig: { responseModalities: ['TEXT'] } },
      { model: 'gemini-2.5-flash-image' },
    );
    expect(candidates?.[0]?.content.parts).toEqual([{ text: expect.any(String) }]);
  });
});
