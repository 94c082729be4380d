import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createKey, readError, startSandbox } from '../support.ts';
import { createTime, download, startOfTime } from '../tasks/support.ts';
import { createImageClient, decodeBase64, path, type ReplyA } from './support.ts';

const time = createTime();
const sandbox = await startSandbox({ taskSeconds: 0, clock: time.clock });
const { post, make } = createImageClient(sandbox);

const smallest = { prompt: 'a fox', size: '1024x1024' };

describe('a request of set A', () => {
  test('needs only a model and a prompt', async () => {
    expect((await post({ prompt: 'a fox' })).status).toBe(200);
    const { status, message } = await readError(await post({ model: undefined, watermark: true }));
    expect([status, message]).toEqual([400, 'model: is required; prompt: is required']);
  });

  test.each<[string, unknown]>([
    ['prompt', ''],
    ['prompt', '一只狐狸'],
    ['prompt', 'x'.repeat(1001)],
    ['size', '1K'],
    ['size', '2K'],
    ['size', '4K'],
    ['size', '1024x1024'],
    ['size', '4096x4096'],
    ['size', '16384x1024'],
    ['size', '1024x16384'],
    ['size', '4096x256'],
    ['sequential_image_generation', 'auto'],
    ['sequential_image_generation', 'disabled'],
    ['stream', false],
    ['response_format', 'url'],
    ['watermark', true],
    ['watermark', false],
  ])('takes %s: %j', async (member, value) => {
    expect((await post({ ...smallest, [member]: value })).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['prompt', undefined],
    ['prompt', 5],
    ['size', '3K'],
    ['size', '2k'],
    ['size', '2K 2048x2048'],
    ['size', '2Kx2048'],
    ['size', '1024X1024'],
    ['size', '1024x'],
    ['size', '1023x1024'],
    ['size', '4096x4097'],
    ['size', '16400x1023'],
    ['size', '1020x16384'],
    ['size', 2048],
    ['size', 'auto'],
    ['sequential_image_generation', 'enabled'],
    ['sequential_image_generation', true],
    ['stream', 'true'],
    ['response_format', 'b64'],
    ['watermark', 'false'],
    ['watermark', null],
    ['n', 1],
    ['quality', 'hd'],
    ['style', 'vivid'],
    ['user', 'me'],
    ['seed', 5],
    ['image', 'https://example.com/a.png'],
    ['responseFormat', 'url'],
  ])('refuses %s: %j', async (member, value) => {
    const error = await readError(await post({ ...smallest, [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });

  test('needs a Bearer key', async () => {
    const body = JSON.stringify({ ...smallest, model: 'doubao-seedream-4-0' });
    const send = (headers: Record<string, string>): Promise<Response> =>
      fetch(sandbox.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    expect((await send({})).status).toBe(401);
    expect((await send({ authorization: 'Bearer sk-unknown' })).status).toBe(401);
    expect((await send({ 'api-key': sandbox.apiKey })).status).toBe(401);
  });
});

describe('the reply of set A', () => {
  test('has every documented member', async () => {
    const reply = await make<ReplyA>({ prompt: 'a red fox', size: '2K' });
    expect(reply).toEqual({
      data: [{ url: expect.stringMatching(new RegExp(`^${sandbox.url}/assets/media/[\\w-]+\\.jpg$`)) }],
      created: startOfTime / 1000,
      usage: {
        prompt_tokens: 3,
        completion_tokens: 16_384,
        total_tokens: 16_387,
        output_tokens: 16_384,
        prompt_tokens_details: { cached_tokens_details: {} },
        completion_tokens_details: {},
      },
    });
  });

  test.each([
    [undefined, 'a fox', 2048, 2048],
    ['1152x1024', 'a fox', 1152, 1024],
    ['4096x256', 'a fox', 4096, 256],
    ['1K', 'a fox', 1024, 1024],
    ['1K', 'a fox, 16:9', 1360, 768],
    ['1K', 'a portrait of a fox', 880, 1168],
    ['2K', 'a fox on a wide plain', 2720, 1536],
    ['4K', 'a fox', 4096, 4096],
  ])('for size %s and "%s" is a jpeg of %i x %i', async (size, prompt, width, height) => {
    const { data } = await make<ReplyA>({ prompt, size });
    const bytes = await download(data[0]?.url ?? '');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
    expect((await sharp(bytes, { failOn: 'warning' }).stats()).entropy).toBeGreaterThan(2);
  });

  test('carries base64 data on request', async () => {
    const { data } = await make<ReplyA>({ ...smallest, response_format: 'b64_json' });
    expect(Object.keys(data[0] ?? {})).toEqual(['b64_json']);
    const bytes = decodeBase64(data[0]?.b64_json);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1024, height: 1024 });
    expect((await sharp(bytes, { failOn: 'warning' }).stats()).entropy).toBeGreaterThan(2);
  });
});

describe('the watermark', () => {
  /** The same picture with and without a watermark. */
  async function paint(watermark: boolean | undefined): Promise<Buffer> {
    const still = await startSandbox({ taskSeconds: 0, random: () => 0.42 });
    const { data } = await createImageClient(still).make<ReplyA>({
      ...smallest,
      watermark,
      response_format: 'b64_json',
    });
    return sharp(decodeBase64(data[0]?.b64_json)).greyscale().raw().toBuffer();
  }

  /** How much two pictures differ within a part, on average per pixel. */
  function compare(one: Buffer, other: Buffer, part: { left: number; top: number }): number {
    let sum = 0;
    let count = 0;
    for (let y = part.top; y < 1024; y += 1) {
      for (let x = part.left; x < 1024; x += 1, count += 1) {
        sum += Math.abs((one[y * 1024 + x] ?? 0) - (other[y * 1024 + x] ?? 0));
      }
    }
    return sum / count;
  }

  test('is only at the lower right, by default and on request', async () => {
    const [byDefault, marked, plain] = await Promise.all([paint(undefined), paint(true), paint(false)]);
    expect(byDefault.equals(marked)).toBe(true);
    expect(compare(marked, plain, { left: 760, top: 950 })).toBeGreaterThan(30);
    expect(marked.subarray(0, 1024 * 900).equals(plain.subarray(0, 1024 * 900))).toBe(true);
    const leftHalf = (bytes: Buffer): Promise<Buffer> =>
      sharp(bytes, { raw: { width: 1024, height: 1024, channels: 1 } })
        .extract({ left: 0, top: 0, width: 512, height: 1024 })
        .raw()
        .toBuffer();
    expect((await leftHalf(marked)).equals(await leftHalf(plain))).toBe(true);
  });
});

describe('a group of images', () => {
  test.each([
    ['four pictures of a fox', 4],
    ['a series of 3: dawn, noon, dusk', 3],
    ['Draw 2 different images of the sea', 2],
    ['a set of two', 2],
    ['a 6-panel comic about a robot', 6],
    ['画三张狐狸的图', 3],
    ['一组故事图', 4],
    ['a series of pictures of one tree', 4],
    ['a storyboard of a chase', 4],
    ['a fox', 1],
    ['four foxes', 1],
    ['99 pictures', 15],
  ])('has the size that the prompt asks for: "%s" gives %i', async (prompt, count) => {
    const request = { prompt, size: '1K', sequential_image_generation: 'auto' };
    const { data, usage } = await make<ReplyA>(request);
    expect(data).toHaveLength(count);
    expect(usage.output_tokens).toBe(4096 * count);
    expect(new Set(data.map(({ url }) => url)).size).toBe(count);
  });

  test.each(['disabled', undefined])('has one image if it is %s', async (sequential) => {
    const request = { prompt: 'four pictures of a fox', sequential_image_generation: sequential };
    expect((await make<ReplyA>(request)).data).toHaveLength(1);
  });

  test('has different images', async () => {
    const { data } = await make<ReplyA>({
      prompt: 'two pictures of a fox',
      size: '1K',
      sequential_image_generation: 'auto',
      response_format: 'b64_json',
    });
    expect(data[0]?.b64_json).not.toBe(data[1]?.b64_json);
  });
});

describe('an address of set A', () => {
  test('is valid for 24 hours', async () => {
    const { data } = await make<ReplyA>(smallest);
    const url = data[0]?.url ?? '';
    expect((await fetch(url)).headers.get('cache-control')).toBe('public, max-age=86400, immutable');
    time.advance(24 * 3600 - 1);
    const late = await fetch(url);
    expect([late.status, late.headers.get('cache-control')]).toEqual([200, 'public, max-age=1, immutable']);
    time.advance(1);
    const expired = await readError(await fetch(url));
    expect(expired).toMatchObject({ status: 403, code: 'url_expired' });
    expect(expired.message).toContain('has expired');
  });

  test('cannot be used in another request after it expires', async () => {
    const { data } = await make<ReplyA>(smallest);
    const fill = (): Promise<Response> =>
      fetch(`${sandbox.url}/hosta/v1/models/studio/fill/predictions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${sandbox.apiKey}` },
        body: JSON.stringify({ input: { image: data[0]?.url, prompt: 'a lake', outpaint: 'Make square' } }),
      });
    expect((await fill()).status).toBe(200);
    time.advance(24 * 3600);
    expect((await readError(await fill())).message).toBe('input.image: the address has expired');
  });
});

describe('the price', () => {
  test('counts every image, and the quota must cover all of them', async () => {
    const key = await createKey(sandbox, { remain_quota: 40_000 });
    const limited = createImageClient(sandbox, key);
    const group = { prompt: '3 pictures of a fox', size: '1K', sequential_image_generation: 'auto' };
    await limited.make(group);
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: 2500, usedQuota: 37_500 });
    expect(await readError(await limited.post(smallest))).toMatchObject({
      status: 403,
      code: 'insufficient_user_quota',
    });
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: 2500 });
  });

  test('of a refused request is zero', async () => {
    const key = await createKey(sandbox, { remain_quota: 40_000 });
    const limited = createImageClient(sandbox, key);
    expect((await limited.post({ ...smallest, n: 1 })).status).toBe(400);
    expect((await limited.post({ ...smallest, prompt: 'fault:refused' })).status).toBe(400);
    expect(sandbox.findToken(key)).toMatchObject({ usedQuota: 0 });
  });

  test('of a model without access or without a channel cannot be paid', async () => {
    const key = await createKey(sandbox, {
      remain_quota: 40_000,
      model_limits_enabled: true,
      model_limits: 'dall-e-3',
    });
    expect(await readError(await createImageClient(sandbox, key).post(smallest))).toMatchObject({
      status: 403,
      code: 'model_not_allowed',
    });
    expect(await readError(await post({ ...smallest, model: 'unknown-model' }))).toMatchObject({
      status: 503,
    });
  });
});
