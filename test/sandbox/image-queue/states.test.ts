import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createKey, readError, readJson, startSandbox } from '../support.ts';
import {
  createClient,
  createTime,
  download,
  drawImage,
  drawMask,
  readPixel,
  type Acknowledgement,
  type QueueResult,
} from '../tasks/support.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox);
const instant = createClient(await startSandbox({ taskSeconds: 0 }));

function queue(request: Record<string, unknown>, from = client): Promise<Acknowledgement> {
  return from.create<Acknowledgement>('/hostb/flux-lora', request);
}

describe('a queued request', () => {
  test('is acknowledged with every documented member', async () => {
    const acknowledged = await queue({ prompt: 'a fox' });
    const address = `${sandbox.url}/hostb/flux-lora/requests/${acknowledged.request_id}`;
    expect(acknowledged).toEqual({
      status: 'IN_QUEUE',
      request_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      response_url: address,
      status_url: `${address}/status`,
      cancel_url: `${address}/cancel`,
      logs: null,
      metrics: {},
      queue_position: 2,
    });
  });

  test('is queued, runs and completes over time', async () => {
    const acknowledged = await queue({ prompt: 'a fox' });
    const { response_url: url, status_url: statusUrl } = acknowledged;
    expect(await client.read(url)).toEqual(acknowledged);
    time.advance(1.5);
    expect(await client.read(url)).toMatchObject({ status: 'IN_QUEUE', queue_position: 0 });
    time.advance(1);
    expect(await client.read(url)).toMatchObject({ status: 'IN_PROGRESS', logs: null, metrics: {} });
    time.advance(7);
    expect(await client.read(statusUrl)).toMatchObject({ status: 'IN_PROGRESS', metrics: {} });
    time.advance(0.5);
    expect(await client.read(statusUrl)).toMatchObject({
      status: 'COMPLETED',
      metrics: { inference_time: 8 },
    });
    expect(Object.keys(await client.read<QueueResult>(url))).toEqual([
      'seed',
      'images',
      'prompt',
      'request',
      'timings',
      'has_nsfw_concepts',
    ]);
  });

  test('echoes exactly the submitted request', async () => {
    const request = { prompt: 'a fox', num_images: 3, guidance_scale: 2.5, output_format: 'png' };
    const result = await instant.read<QueueResult>((await queue(request, instant)).response_url);
    expect(result).toMatchObject({ prompt: 'a fox', request, has_nsfw_concepts: [false, false, false] });
    expect(Object.keys(result.request)).toEqual(Object.keys(request));
    expect(result.images.map((image) => image.content_type)).toEqual(['image/png', 'image/png', 'image/png']);
    expect(new Set(result.images.map(({ url }) => url)).size).toBe(3);
  });

  test('has a seed of more than 53 bits', async () => {
    const seeds = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const response = await instant.send('GET', (await queue({ prompt: 'x' }, instant)).response_url);
        return BigInt(/"seed":(\d+),/.exec(await response.text())?.[1] ?? 0);
      }),
    );
    expect(seeds.some((seed) => seed > 2n ** 53n)).toBe(true);
    expect(seeds.every((seed) => seed < 2n ** 63n)).toBe(true);
  });

  test("can be read by auto and by its model's name only", async () => {
    const { request_id: id } = await queue({ prompt: 'a fox' }, instant);
    for (const model of ['auto', 'flux-lora']) {
      expect((await instant.send('GET', `/hostb/${model}/requests/${id}`)).status).toBe(200);
    }
    const other = await instant.send('GET', `/hostb/other/requests/${id}`);
    expect(await readError(other)).toMatchObject({ status: 404, code: 'not_found' });
    expect((await instant.send('GET', '/hostb/auto/requests/nothing')).status).toBe(404);
    expect((await instant.send('GET', `/hostb/auto/requests/${id}?logs=1`)).status).toBe(400);
  });

  test.each(['PUT', 'POST'])('is canceled by %s', async (method) => {
    const acknowledged = await queue({ prompt: 'a fox' });
    time.advance(5);
    const response = await client.send(method, acknowledged.cancel_url);
    expect(await readJson(response)).toMatchObject({ status: 'CANCELED' });
    time.advance(50);
    expect(await client.read(acknowledged.response_url)).toMatchObject({ status: 'CANCELED' });
    expect((await client.send(method, acknowledged.cancel_url)).status).toBe(200);
  });

  test('cannot be canceled after it has ended', async () => {
    const { cancel_url: url } = await queue({ prompt: 'a fox' }, instant);
    expect(await readError(await instant.send('PUT', url))).toMatchObject({
      status: 400,
      code: 'already_completed',
    });
  });

  test('is visible only to its token', async () => {
    const owner = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    const acknowledged = await queue({ prompt: 'a fox' }, owner);
    for (const url of [acknowledged.response_url, acknowledged.status_url]) {
      expect((await owner.send('GET', url)).status).toBe(200);
      expect((await client.send('GET', url)).status).toBe(404);
      expect((await fetch(url)).status).toBe(401);
    }
    expect((await client.send('PUT', acknowledged.cancel_url)).status).toBe(404);
  });
});

describe('the images', () => {
  test('are different files of the requested size and format', async () => {
    const request = { prompt: 'a fox <in> the "snow" & 雪', num_images: 2, image_size: 'portrait_3_4' };
    for (const format of ['jpeg', 'png'] as const) {
      const { response_url: url } = await queue({ ...request, output_format: format }, instant);
      const { images } = await instant.read<QueueResult>(url);
      const [one, other] = await Promise.all(images.map((image) => download(image.url)));
      if (!one || !other) throw new Error('An image is missing');
      expect(await sharp(one).metadata()).toMatchObject({ format, width: 768, height: 1024 });
      expect((await sharp(one, { failOn: 'warning' }).stats()).entropy).toBeGreaterThan(2);
      expect(one.equals(other)).toBe(false);
    }
  });

  test('are black if the safety checker objects', async () => {
    const request = { prompt: 'something nsfw' };
    const checked = await instant.read<QueueResult>((await queue(request, instant)).response_url);
    expect(checked.has_nsfw_concepts).toEqual([true]);
    expect(await readPixel(await download(checked.images[0]?.url ?? ''), 5, 5)).toEqual([0, 0, 0]);
    const unchecked = await queue({ ...request, enable_safety_checker: false }, instant);
    const result = await instant.read<QueueResult>(unchecked.response_url);
    expect(result.has_nsfw_concepts).toEqual([false]);
  });

  test('of an inpainting keep its size and the black part of the mask', async () => {
    const size = { width: 120, height: 80 };
    const image = await drawImage(size);
    const request = {
      prompt: 'a lake',
      image_url: image,
      mask_url: await drawMask(size),
      output_format: 'png',
    };
    const queued = await instant.create<Acknowledgement>('/hostb/flux-lora/inpainting', request);
    const { images } = await instant.read<QueueResult>(queued.response_url);
    expect(images).toMatchObject([{ ...size, content_type: 'image/png' }]);
    const bytes = await download(images[0]?.url ?? '');
    expect(await sharp(bytes).metadata()).toMatchObject(size);
    expect(await readPixel(bytes, 100, 40)).toEqual([255, 0, 0]);
    expect(await readPixel(bytes, 20, 40)).not.toEqual([255, 0, 0]);
  });

  test('of an inpainting can start from an image of the sandbox', async () => {
    const { response_url: url } = await queue({ prompt: 'a fox', image_size: 'square' }, instant);
    const { images } = await instant.read<QueueResult>(url);
    const request = {
      prompt: 'a lake',
      image_url: images[0]?.url,
      mask_url: await drawMask({ width: 512, height: 512 }),
    };
    const queued = await instant.create<Acknowledgement>('/hostb/flux-lora/inpainting', request);
    const result = await instant.read<QueueResult>(queued.response_url);
    expect(result.images).toMatchObject([{ width: 512, height: 512 }]);
    expect(await sharp(await download(result.images[0]?.url ?? '')).metadata()).toMatchObject({ width: 512 });
  });

  test('of an inpainting with an unseen image have a placeholder', async () => {
    const queued = await instant.create<Acknowledgement>('/hostb/flux-lora/inpainting', {
      prompt: 'a lake',
      image_url: 'https://example.com/image.png',
      mask_url: 'https://example.com/mask.png',
    });
    const { images } = await instant.read<QueueResult>(queued.response_url);
    expect(await sharp(await download(images[0]?.url ?? '')).metadata()).toMatchObject({
      width: 1024,
      height: 768,
    });
  });
});
