import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createKey, readError, startSandbox } from '../support.ts';
import { createTime, download, startOfTime } from '../tasks/support.ts';
import { createImageClient, decodeBase64, type ReplyB } from './support.ts';

const time = createTime();
const sandbox = await startSandbox({ taskSeconds: 0, clock: time.clock });
const { post, make } = createImageClient(sandbox);

const families = {
  'gpt-image-1': ['1024x1024', '1536x1024', '1024x1536', 'auto'],
  'gpt-image-1-mini': ['1024x1024', '1536x1024', '1024x1536', 'auto'],
  'dall-e-2': ['256x256', '512x512', '1024x1024'],
  'dall-e-3': ['1024x1024', '1792x1024', '1024x1792'],
} as const;
const allSizes = [...new Set(Object.values(families).flat())];

describe.each(Object.entries(families))('a request of set B to %s', (model, sizes) => {
  const smallest = { model, prompt: 'a fox' };

  test('needs only a prompt', async () => {
    expect((await post(smallest)).status).toBe(200);
    expect((await readError(await post({ model }))).message).toBe('prompt: is required');
  });

  test.each(sizes)('takes size %s', async (size) => {
    expect((await post({ ...smallest, size })).status).toBe(200);
  });

  test.each([...allSizes.filter((size) => !sizes.some((own) => own === size)), '1K', '2048x2048', '', 1024])(
    'refuses size %j',
    async (size) => {
      const error = await readError(await post({ ...smallest, size }));
      expect([error.status, error.message]).toEqual([400, expect.stringContaining('size')]);
    },
  );

  test.each<[string, unknown]>([
    ['prompt', ''],
    ['prompt', 'x'.repeat(1000)],
    ['prompt', '🦊'.repeat(1000)],
    ['n', 1],
    ['n', 10],
    ['response_format', 'url'],
    ['user', 'me'],
  ])('takes %s: %.20j', async (member, value) => {
    expect((await post({ ...smallest, [member]: value })).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['prompt', 'x'.repeat(1001)],
    ['prompt', '🦊'.repeat(1001)],
    ['prompt', null],
    ['n', 0],
    ['n', 11],
    ['n', 1.5],
    ['n', '2'],
    ['response_format', 'jpeg'],
    ['user', 5],
    ['quality', 'high'],
    ['style', 'anime'],
    ['stream', false],
    ['watermark', true],
    ['sequential_image_generation', 'auto'],
    ['background', 'transparent'],
  ])('refuses %s: %.20j', async (member, value) => {
    const error = await readError(await post({ ...smallest, [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });

  test.each([
    ['quality', 'hd'],
    ['quality', 'standard'],
    ['style', 'vivid'],
    ['style', 'natural'],
  ])('takes %s: %s in family C only', async (member, value) => {
    const response = await post({ ...smallest, [member]: value });
    expect(response.status).toBe(model === 'dall-e-3' ? 200 : 400);
  });
});

describe('a request without a model', () => {
  test('takes all sizes and members of set B', async () => {
    for (const size of allSizes) {
      expect((await post({ model: undefined, prompt: 'a fox', size })).status).toBe(200);
    }
    const request = { model: undefined, prompt: 'a fox', quality: 'hd', style: 'natural', n: 2 };
    expect((await post(request)).status).toBe(200);
  });
});

describe('a model of neither set', () => {
  const unknown = { model: 'painter-9', prompt: 'two pictures of a fox' };

  test.each<object>([
    { sequential_image_generation: 'auto' },
    { watermark: false },
    { stream: false },
    { size: '2K' },
    { size: '2048x2048' },
    { size: '1025x1024' },
  ])('has set A if the request has %j', async (members) => {
    expect(await make({ ...unknown, ...members })).toHaveProperty('usage.output_tokens');
    const error = await readError(await post({ ...unknown, ...members, n: 2 }));
    expect([error.status, error.message]).toEqual([400, 'n: unknown member']);
  });

  test.each<object>([
    { n: 2 },
    { quality: 'hd' },
    { style: 'natural' },
    { user: 'me' },
    { size: '1536x1024' },
    { size: '256x256' },
    {},
  ])('has set B if the request has %j', async (members) => {
    const { data } = await make<ReplyB>({ ...unknown, ...members });
    expect(data[0]).toHaveProperty('revised_prompt');
  });

  test('has neither if the request has members of both', async () => {
    const error = await readError(await post({ ...unknown, watermark: true, style: 'vivid' }));
    expect([error.status, error.message]).toEqual([400, 'style: unknown member']);
  });

  test('refuses sizes of neither set', async () => {
    expect((await post({ ...unknown, size: '300x300' })).status).toBe(400);
  });
});

describe('the reply of set B', () => {
  const safe = { filtered: false, severity: 'safe' };

  test('has every documented member', async () => {
    const reply = await make<ReplyB>({ model: 'dall-e-3', prompt: 'A damn good sword.', n: 2 });
    const filters = { hate: safe, self_harm: safe, sexual: safe, violence: { ...safe, severity: 'low' } };
    const image = {
      url: expect.stringMatching(new RegExp(`^${sandbox.url}/assets/media/[\\w-]+\\.png$`)),
      revised_prompt: expect.stringMatching(/^A damn good sword, .+\.$/),
      content_filter_results: filters,
      prompt_filter_results: { ...filters, profanity: { detected: true, filtered: false } },
    };
    expect(reply).toEqual({ created: startOfTime / 1000, data: [image, image] });
  });

  test.each([
    ['gpt-image-1', undefined, 'a fox', 1024, 1024],
    ['gpt-image-1', 'auto', 'a wide plain', 1536, 1024],
    ['gpt-image-1', 'auto', 'a portrait of a fox', 1024, 1536],
    ['gpt-image-1', '1536x1024', 'a portrait of a fox', 1536, 1024],
    ['dall-e-2', '256x256', 'a fox', 256, 256],
    ['dall-e-3', '1024x1792', 'a fox', 1024, 1792],
  ])('of %s for size %s and "%s" is a png of %i x %i', async (model, size, prompt, width, height) => {
    const { data } = await make<ReplyB>({ model, prompt, size });
    const bytes = await download(data[0]?.url ?? '');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width, height });
    expect((await sharp(bytes, { failOn: 'warning' }).stats()).entropy).toBeGreaterThan(2);
  });

  test('carries different images as base64 data on request', async () => {
    const { data } = await make<ReplyB>({
      model: 'dall-e-2',
      prompt: 'a fox',
      size: '256x256',
      n: 2,
      response_format: 'b64_json',
    });
    const images = data.map((image) => decodeBase64(image.b64_json));
    for (const bytes of images) {
      expect(await sharp(bytes, { failOn: 'warning' }).metadata()).toMatchObject({ width: 256, height: 256 });
      expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(2);
    }
    expect(images[0]?.equals(images[1] ?? Buffer.alloc(0))).toBe(false);
    expect(data.every(({ url }) => url === undefined)).toBe(true);
  });

  test('has addresses that do not expire', async () => {
    const { data } = await make<ReplyB>({ model: 'dall-e-2', prompt: 'a fox', size: '256x256' });
    time.advance(30 * 24 * 3600);
    expect((await fetch(data[0]?.url ?? '')).status).toBe(200);
  });

  test('costs the price of its images', async () => {
    const key = await createKey(sandbox, { remain_quota: 30_000, group: 'vip' });
    const limited = createImageClient(sandbox, key);
    const two = { model: 'dall-e-2', prompt: 'a fox', size: '256x256', n: 2 };
    expect((await limited.post(two)).status).toBe(403);
    await limited.make({ ...two, n: 1 });
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: 5000, usedQuota: 25_000 });
  });
});
