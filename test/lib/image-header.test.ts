import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readImageHeader } from '../../src/lib/image-header.ts';

const size = { width: 61, height: 40 };
const canvas = (alpha = 1) =>
  sharp({ create: { ...size, channels: 4, background: { r: 200, g: 100, b: 50, alpha } } });

const files = {
  'a JPEG': () => canvas().jpeg().toBuffer(),
  'a progressive JPEG': () => canvas().jpeg({ progressive: true }).toBuffer(),
  'a PNG': () => canvas().png().toBuffer(),
  'a GIF': () => canvas().gif().toBuffer(),
  'a lossy WebP': () => canvas().webp().toBuffer(),
  'a lossless WebP': () => canvas().webp({ lossless: true }).toBuffer(),
  'a WebP with alpha': () => canvas(0.5).webp().toBuffer(),
} as const;

describe('readImageHeader', () => {
  test.each(Object.entries(files))('reads type and size of %s', async (name, make) => {
    const bytes = await make();
    const type = name.split(' ').at(-1) === 'alpha' ? 'webp' : (name.split(' ').at(-1) ?? '').toLowerCase();
    expect(readImageHeader(bytes)).toMatchObject({ type, size });
    // The first bytes are enough.
    expect(readImageHeader(bytes.subarray(0, 1000))).toMatchObject({ type, size });
  });

  test('recognizes AVIF by its brand', async () => {
    expect(readImageHeader(await canvas().avif().toBuffer())).toEqual({ type: 'avif' });
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'reads whether Exif orientation %d rotates by a quarter turn',
    async (orientation) => {
      const bytes = await canvas().jpeg().withMetadata({ orientation }).toBuffer();
      expect(readImageHeader(bytes)).toEqual({
        type: 'jpeg',
        size,
        isRotated: orientation >= 5,
        hasAlpha: false,
      });
    },
  );

  const opaque = () => canvas().removeAlpha();
  const palette = { palette: true };
  test.each<readonly [string, () => ReturnType<typeof canvas>, boolean | undefined]>([
    ['a JPEG', () => opaque().jpeg(), false],
    ['a color PNG', () => opaque().png(), false],
    ['a gray PNG', () => opaque().greyscale().toColourspace('b-w').png(), false],
    ['a PNG with an alpha channel', () => canvas().png(), true],
    ['a gray PNG with an alpha channel', () => canvas(0.5).toColourspace('b-w').png(), true],
    ['a PNG with a palette', () => opaque().png(palette), false],
    ['a PNG with a palette and transparency', () => canvas(0.5).png(palette), true],
    ['a lossy WebP', () => opaque().webp(), false],
    ['a lossless WebP', () => opaque().webp({ lossless: true }), false],
    ['a lossy WebP with alpha', () => canvas(0.5).webp(), true],
    ['a lossless WebP with alpha', () => canvas(0.5).webp({ lossless: true }), true],
    ['an extended WebP', () => opaque().withMetadata({ orientation: 6 }).webp(), false],
    ['an extended WebP with alpha', () => canvas(0.5).withMetadata({ orientation: 6 }).webp(), true],
    ['a GIF', () => opaque().gif(), undefined],
    ['an AVIF', () => opaque().avif(), undefined],
  ])('reads whether %s may be transparent', async (_name, make, hasAlpha) => {
    const bytes = await make().toBuffer();
    expect(readImageHeader(bytes)?.hasAlpha).toBe(hasAlpha);
  });

  test('leaves the transparency of a PNG open if the bytes end before its data', async () => {
    const bytes = await opaque().png().toBuffer();
    const data = bytes.indexOf('IDAT');
    expect(readImageHeader(bytes.subarray(0, data + 4))?.hasAlpha).toBe(false);
    expect(readImageHeader(bytes.subarray(0, data + 3))?.hasAlpha).toBeUndefined();
    const endless = Buffer.concat([bytes.subarray(0, 33), Buffer.alloc(8 * 1024 * 1024)]);
    expect(readImageHeader(endless)?.hasAlpha).toBeUndefined();
  });

  test('skips fill bytes and long segments', async () => {
    const bytes = await canvas().jpeg().toBuffer();
    const segment = Buffer.alloc(65_537);
    segment.writeUInt16BE(0xffe2, 0);
    segment.writeUInt16BE(65_535, 2);
    const odd = Buffer.concat([bytes.subarray(0, 2), segment, Buffer.from([0xff, 0xff]), bytes.subarray(2)]);
    expect(readImageHeader(odd)).toMatchObject({ type: 'jpeg', size });
  });

  test.each([
    '',
    'plain text',
    '%PDF-1.7',
    '<svg width="1" height="1"/>',
    'BM',
    'GIF8',
    '\u0000\u0000\u0000\u0018ftypheic',
  ])('finds no known type in %j', (text) => {
    expect(readImageHeader(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  test('does not throw on truncated or damaged bytes', async () => {
    const made = await Promise.all(Object.values(files).map((make) => make()));
    for (const bytes of [...made, await canvas().jpeg().withMetadata({ orientation: 6 }).toBuffer()]) {
      for (let length = 0; length < Math.min(400, bytes.length); length += 1) {
        const header = readImageHeader(bytes.subarray(0, length));
        expect(header?.size ?? size).toEqual(size);
        const damaged = Buffer.from(bytes);
        damaged[length] = (damaged[length] ?? 0) ^ 0xff;
        readImageHeader(damaged);
      }
    }
  });

  test('is fast on thousands of Exif segments that claim many entries', () => {
    const exif = Buffer.from('ffe1001645786966000049492a0008000000ffff00000000', 'hex');
    const bytes = Buffer.concat([Buffer.from('ffd8', 'hex'), ...Array.from({ length: 30_000 }, () => exif)]);
    const before = process.cpuUsage();
    expect(readImageHeader(bytes)).toEqual({ type: 'jpeg', isRotated: false, hasAlpha: false });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  test('is fast on 8 MB of garbage after a JPEG marker', () => {
    const bytes = Buffer.alloc(8 * 1024 * 1024, 0xff);
    bytes[1] = 0xd8;
    const before = process.cpuUsage();
    expect(readImageHeader(bytes)).toEqual({ type: 'jpeg', isRotated: false, hasAlpha: false });
    bytes.fill(0, 3);
    expect(readImageHeader(bytes)).toEqual({ type: 'jpeg', isRotated: false, hasAlpha: false });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
