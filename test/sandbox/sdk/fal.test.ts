import { createFalClient, type FalClient } from '@fal-ai/client';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createKey, startSandbox } from '../support.ts';
import { download, drawImage, drawMask, type QueueResult } from '../tasks/support.ts';

const instant = await startSandbox({ taskSeconds: 0 });
const endless = await startSandbox({ taskSeconds: 100_000 });

/** The SDK calls its own host. Its middleware replaces that host. */
function connect({ url }: { readonly url: string }, credentials: string): FalClient {
  return createFalClient({
    credentials,
    requestMiddleware: async (request) => ({
      ...request,
      url: request.url.replace('https://queue.fal.run', url),
    }),
  });
}
const fal = connect(instant, instant.apiKey);

/** Ids of endpoints are paths of the gateway. */
const endpoint = 'hostb/flux-lora';

describe('a queue by the fal SDK', () => {
  test('takes a request, and has its status and result', async () => {
    const { request_id: requestId, status } = await fal.queue.submit(endpoint, {
      input: { prompt: 'a fox', image_size: 'square', num_images: 2 },
    });
    expect(status).toBe('IN_QUEUE');
    expect(await fal.queue.status(endpoint, { requestId, logs: true })).toMatchObject({
      status: 'COMPLETED',
    });
    const { data } = await fal.queue.result(endpoint, { requestId });
    const { images } = data as QueueResult;
    expect(images).toHaveLength(2);
    expect(await sharp(await download(images[0]?.url ?? '')).metadata()).toMatchObject({ width: 512 });
  });

  test('is subscribed to until the result is there', async () => {
    const { data } = await fal.subscribe(endpoint, { input: { prompt: 'a fox' }, pollInterval: 1 });
    expect(data).toMatchObject({ prompt: 'a fox', images: [{ content_type: 'image/jpeg' }] });
  });

  test('takes an inpainting', async () => {
    const size = { width: 40, height: 30 };
    const { data } = await fal.subscribe(`${endpoint}/inpainting`, {
      input: { prompt: 'a lake', image_url: await drawImage(size), mask_url: await drawMask(size) },
      pollInterval: 1,
    });
    expect(data).toMatchObject({ images: [size] });
  });

  test('cancels a request', async () => {
    const patient = connect(endless, endless.apiKey);
    const { request_id: requestId } = await patient.queue.submit(endpoint, { input: { prompt: 'a fox' } });
    await patient.queue.cancel(endpoint, { requestId });
    expect(await patient.queue.status(endpoint, { requestId })).toMatchObject({ status: 'CANCELED' });
  });

  test('refuses with an error that has status and body', async () => {
    await expect(fal.queue.submit(endpoint, { input: { prompt: 5 } })).rejects.toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
    await expect(
      connect(instant, 'sk-unknown').queue.submit(endpoint, { input: { prompt: 'a fox' } }),
    ).rejects.toMatchObject({ status: 401 });
  });

  test('is separate for each key, as in other families', async () => {
    const key = await createKey(instant, { remain_quota: 12_500 });
    await connect(instant, key).queue.submit(endpoint, { input: { prompt: 'a fox' } });
    expect(instant.findToken(key)).toMatchObject({ remainQuota: 0 });
  });
});

test('the other families take no key in the form of this SDK', async () => {
  const response = await fetch(`${instant.url}/hosta/v1/predictions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Key ${instant.apiKey}` },
    body: '{}',
  });
  expect(response.status).toBe(401);
});
