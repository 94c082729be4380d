import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readError, startSandbox } from '../support.ts';
import { createClient, download, drawImage, drawMask, readPixel, type Prediction } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);

const path = '/hosta/v1/models/studio/fill-pro/predictions';
const size = { width: 60, height: 40 };
const image = await drawImage(size);
const mask = await drawMask(size);
const input = { image, mask, prompt: 'a garden' };

function post(changes: Record<string, unknown>): Promise<Response> {
  return client.post(path, { input: { ...input, ...changes } });
}

async function fill(changes: Record<string, unknown>): Promise<Buffer> {
  const { urls } = await client.create<Prediction>(path, { input: { ...input, ...changes } });
  const { output } = await client.read<Prediction>(urls.get);
  if (typeof output !== 'string') throw new TypeError('A fill gives one file');
  return download(output);
}

/** A square PNG with one bit per pixel, written without drawing it. */
function writeBlackImage(side: number): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(data.length);
    numbers.writeUInt32BE(crc32(content), 4);
    return Buffer.concat([numbers.subarray(0, 4), content, numbers.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))), { level: 1 });
  const chunks = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString('base64')}`;
}

describe('a fill request', () => {
  test.each<[string, unknown]>([
    ['steps', 15],
    ['steps', 50],
    ['guidance', 1.5],
    ['guidance', 100],
    ['outpaint', 'None'],
    ['outpaint', 'Zoom out 1.5x'],
    ['output_format', 'jpg'],
    ['output_format', 'png'],
    ['safety_tolerance', 1],
    ['safety_tolerance', 6],
    ['prompt_upsampling', true],
    ['image', 'https://example.com/photo.webp'],
    ['mask', 'https://example.com/mask'],
  ])('takes input.%s: %j', async (member, value) => {
    expect((await post({ [member]: value })).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['image', undefined],
    ['prompt', undefined],
    ['prompt', 7],
    ['steps', 14],
    ['steps', 51],
    ['steps', 20.5],
    ['guidance', 1.4],
    ['guidance', 100.1],
    ['guidance', '60'],
    ['outpaint', 1],
    ['output_format', 'tiff'],
    ['safety_tolerance', 0],
    ['safety_tolerance', 7],
    ['prompt_upsampling', 'yes'],
    ['seed', 1],
    ['image', 'photo.png'],
    ['image', 'https://example.com/photo.avif'],
    ['mask', 'data:image/png;base64,iVBORw0KGgo='],
    ['mask', null],
  ])('refuses input.%s: %j', async (member, value) => {
    const error = await readError(await post({ [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(`input.${member}`);
  });

  test.each(['png', 'jpeg', 'gif', 'webp'] as const)('takes an image of type %s', async (format) => {
    expect((await post({ image: await drawImage(size, { format }) })).status).toBe(200);
  });

  test('refuses an image of type avif', async () => {
    expect((await post({ image: await drawImage(size, { format: 'avif' }) })).status).toBe(400);
  });

  test('refuses unknown members beside input', async () => {
    expect((await readError(await client.post(path, { input, version: 'x' }))).message).toContain('version');
  });

  test('refuses a mask of another size', async () => {
    const error = await readError(await post({ mask: await drawMask({ width: 60, height: 41 }) }));
    expect(error).toMatchObject({ status: 400 });
    expect(error.message).toBe('input.mask: the mask is invalid: it has 60x41 pixels, the image 60x40');
  });

  test('refuses an image whose pixels would occupy the sandbox for long', async () => {
    const error = await readError(await post({ image: writeBlackImage(8193) }));
    expect(error).toMatchObject({
      status: 400,
      message: 'input.image: not a readable image of at most 8192x8192 pixels',
    });
  });

  test('ignores the mask if it expands the picture', async () => {
    expect(
      (await post({ mask: await drawMask({ width: 9, height: 9 }), outpaint: 'Left outpaint' })).status,
    ).toBe(200);
  });

  test('needs a mask, unless the image has an alpha mask', async () => {
    expect((await readError(await post({ mask: undefined }))).message).toContain('input.mask');
    const holey = await drawImage(size, { colour: '#ff000000' });
    expect((await post({ mask: undefined, image: holey })).status).toBe(200);
  });

  test('runs on the model of its path, whose version is hidden', async () => {
    const prediction = await client.create<Prediction>(path, { input });
    expect(prediction).toMatchObject({ model: 'studio/fill-pro', version: 'hidden', input });
  });

  test('on a model that no channel has is 503', async () => {
    const response = await client.post('/hosta/v1/models/studio/unknown-model/predictions', { input });
    expect(await readError(response)).toMatchObject({ status: 503, code: 'model_not_found' });
  });
});

describe('a filled picture', () => {
  test('keeps its size and what is black in the mask', async () => {
    const bytes = await fill({ output_format: 'png' });
    expect(await sharp(bytes).metadata()).toMatchObject({ ...size, format: 'png' });
    expect(await readPixel(bytes, 45, 20)).toEqual([255, 0, 0]);
    expect(await readPixel(bytes, 15, 20)).not.toEqual([255, 0, 0]);
  });

  test('is painted where the image is transparent', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect x="30" width="30" height="40" fill="#f00"/></svg>`;
    const bytes = await sharp(Buffer.from(svg)).png().toBuffer();
    const holey = `data:image/png;base64,${bytes.toString('base64')}`;
    const filled = await fill({ image: holey, mask: undefined, output_format: 'png' });
    expect(await readPixel(filled, 45, 20)).toEqual([255, 0, 0]);
    expect((await readPixel(filled, 15, 20)).some((value) => value > 20)).toBe(true);
  });

  test.each([
    ['Zoom out 1.5x', 90, 60],
    ['Zoom out 2x', 120, 80],
    ['Make square', 60, 60],
    ['Left outpaint', 90, 40],
    ['Bottom outpaint', 60, 60],
    ['None', 60, 40],
  ])('expanded by %s is %i x %i', async (outpaint, width, height) => {
    expect(await sharp(await fill({ outpaint })).metadata()).toMatchObject({ width, height, format: 'jpeg' });
  });

  test('is upright if Exif rotates the photo', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="#00f"/><rect width="30" height="40" fill="#f00"/></svg>`;
    const photo = await sharp(Buffer.from(svg)).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const black = await drawImage({ width: 40, height: 60 }, { colour: '#000000' });
    const filled = await fill({
      image: `data:image/jpeg;base64,${photo.toString('base64')}`,
      mask: black,
      output_format: 'png',
    });
    expect(await sharp(filled).metadata()).toMatchObject({ width: 40, height: 60 });
    const [[red = 0], [, , blue = 0]] = [await readPixel(filled, 20, 10), await readPixel(filled, 20, 50)];
    expect(Math.min(red, blue)).toBeGreaterThan(200);
  });

  test('is scaled down if its expansion would have a side over 4096', async () => {
    const image = await drawImage({ width: 9000, height: 20 });
    const bytes = await fill({ image, outpaint: 'Zoom out 2x', output_format: 'webp' });
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 4096, height: 8 });
  });

  test.each([
    ['jpg', 'jpeg'],
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
  ])('as %s is a %s', async (format, expected) => {
    expect((await sharp(await fill({ output_format: format })).metadata()).format).toBe(expected);
  });
});
