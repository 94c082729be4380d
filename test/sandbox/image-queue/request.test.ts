import { describe, expect, test } from 'vitest';
import { readError, startSandbox } from '../support.ts';
import {
  createClient,
  drawImage,
  drawMask,
  type Acknowledgement,
  type QueueResult,
} from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);

const size = { width: 40, height: 30 };
const inpainting = {
  prompt: 'a boat',
  image_url: await drawImage(size),
  mask_url: await drawMask(size),
};

describe.each([
  ['/hostb/flux-lora', { prompt: 'a fox' }],
  ['/hostb/flux-lora/inpainting', inpainting],
])('POST %s', (path, smallest) => {
  test('needs only the required members', async () => {
    expect((await client.post(path, smallest)).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['num_inference_steps', 1],
    ['num_inference_steps', 50],
    ['guidance_scale', 0],
    ['guidance_scale', 35],
    ['guidance_scale', 3.5],
    ['num_images', 1],
    ['num_images', 4],
    ['enable_safety_checker', false],
    ['output_format', 'jpeg'],
    ['output_format', 'png'],
    ['prompt', ''],
  ])('takes %s: %j', async (member, value) => {
    expect((await client.post(path, { ...smallest, [member]: value })).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['prompt', undefined],
    ['prompt', 5],
    ['num_inference_steps', 0],
    ['num_inference_steps', 51],
    ['num_inference_steps', 1.5],
    ['guidance_scale', -0.1],
    ['guidance_scale', 35.1],
    ['num_images', 0],
    ['num_images', 5],
    ['num_images', '2'],
    ['enable_safety_checker', 'true'],
    ['output_format', 'webp'],
    ['output_format', 'jpg'],
    ['seed', 1],
    ['promptStart', 'x'],
    ['guidance_scale', null],
  ])('refuses %s: %j', async (member, value) => {
    const error = await readError(await client.post(path, { ...smallest, [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });
});

describe('the size of an image', () => {
  test.each([
    ['square', 512, 512],
    ['square pro', 1024, 1024],
    ['landscape_4_3', 1024, 768],
    ['landscape_16_9', 1024, 576],
    ['portrait_3_4', 768, 1024],
    [undefined, 1024, 768],
  ])('%s is %i x %i', async (name, width, height) => {
    const { response_url: url } = await client.create<Acknowledgement>('/hostb/flux-lora', {
      prompt: 'a fox',
      image_size: name,
    });
    const { images } = await client.read<QueueResult>(url);
    expect(images).toMatchObject([{ width, height }]);
  });

  test.each(['square_hd', 'portrait_16_9', { width: 10, height: 10 }])('%j is 400', async (name) => {
    expect((await client.post('/hostb/flux-lora', { prompt: 'a fox', image_size: name })).status).toBe(400);
  });
});

describe('an inpainting request', () => {
  test.each([0.01, 1])('takes strength %d', async (strength) => {
    expect((await client.post('/hostb/flux-lora/inpainting', { ...inpainting, strength })).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['strength', 0],
    ['strength', 1.01],
    ['image_url', undefined],
    ['mask_url', undefined],
    ['image_size', 'square'],
    ['image_url', 'not a url'],
    ['image_url', 'ftp://example.com/a.png'],
    ['image_url', 'https://example.com/a.bmp'],
    ['mask_url', 'https://example.com/a.svg'],
    ['image_url', 'data:image/png;base64,'],
    ['image_url', 'data:image/png;base64,AAAA'],
    ['image_url', 'data:text/plain;base64,AAAA'],
    ['mask_url', 'data:image/png;base64,***'],
  ])('refuses %s: %j', async (member, value) => {
    const response = await client.post('/hostb/flux-lora/inpainting', { ...inpainting, [member]: value });
    const error = await readError(response);
    expect(error.status).toBe(400);
    expect(error.message).toContain(member);
  });

  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('takes an image of type %s', async (format) => {
    const image = await drawImage(size, { format });
    const response = await client.post('/hostb/flux-lora/inpainting', { ...inpainting, image_url: image });
    expect(response.status).toBe(200);
  });

  test('takes links that the sandbox cannot see', async () => {
    const links = { image_url: 'https://example.com/a.avif', mask_url: 'https://example.com/mask' };
    expect((await client.post('/hostb/flux-lora/inpainting', { ...inpainting, ...links })).status).toBe(200);
  });

  test('refuses a mask of another size', async () => {
    const mask = await drawMask({ width: 41, height: 30 });
    const response = await client.post('/hostb/flux-lora/inpainting', { ...inpainting, mask_url: mask });
    expect((await readError(response)).message).toContain('the mask is invalid');
  });
});
