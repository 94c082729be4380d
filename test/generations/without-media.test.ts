import { createHash, randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isInlineImage } from '../../src/generations/inline-images.ts';
import { withoutMedia, withoutMediaInPieces } from '../../src/generations/without-media.ts';
import { largeWork } from '../../src/lib/fairness/large-work.ts';
import type { Json } from '../../src/lib/json.ts';

const describe = (head: string, bytes: Buffer): string =>
  `${head}: ${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
const ofBase64 = (head: string, text: string): string => describe(head, Buffer.from(text, 'base64'));

const base64 = randomBytes(900_001).toString('base64');
const head = 'data:image/png;base64';
const image = `${head},${base64}`;
const forUrls = randomBytes(1_200_000).toString('base64url');
const broken = `${base64.slice(0, 1000)}\n${base64.slice(1000)}`;
const svg = '<g/>é'.repeat(300_000);
const prose = 'word '.repeat(300_000);
const small = image.slice(0, 2000);
const values: readonly (readonly [string, Json, Json])[] = [
  ['an image', { url: [image] }, { url: [ofBase64(head, base64)] }],
  ['base64', [base64, forUrls], [ofBase64('base64', base64), ofBase64('base64', forUrls)]],
  ['line breaks', `${head},${broken}`, ofBase64(head, base64)],
  ['nearly base64', [broken, `${base64} `, `=${base64}`], [broken, `${base64} `, `=${base64}`]],
  ['an image of text', `data:image/svg+xml,${svg}`, describe('data:image/svg+xml', Buffer.from(svg))],
  ['prose', { text: prose }, { text: prose }],
  ['small media', [prose, small], [prose, ofBase64(head, small.slice(head.length + 1))]],
];

test.each(values)(
  'the record of a large request has the size and hash of %s',
  async (_what, value, expected) => {
    const recorded = [withoutMedia(value), await withoutMediaInPieces(value)];
    // A failed `toEqual` would print the texts.
    for (const each of recorded) expect(JSON.stringify(each) === JSON.stringify(expected)).toBe(true);
  },
);

test('images are kept on request, and the other descriptions are reported', async () => {
  const audio = 'data:audio/mp3;base64';
  const value = [image, `${audio},${base64}`, base64];
  const replaced: string[] = [];
  const onReplaced = (text: string): void => void replaced.push(text);
  const recorded = await withoutMediaInPieces(value, { keeps: isInlineImage, onReplaced });
  expect(recorded[0] === image).toBe(true);
  expect(replaced).toEqual([ofBase64(audio, base64), ofBase64('base64', base64)]);
  expect(recorded.slice(1)).toEqual(replaced);
});

test('media are hashed in pieces of a quarter of a megabyte', async () => {
  const nextPiece = vi.spyOn(largeWork, 'nextPiece');
  onTestFinished(() => nextPiece.mockRestore());
  await withoutMediaInPieces([image, base64]);
  expect(nextPiece).toHaveBeenCalledTimes(10);
});
