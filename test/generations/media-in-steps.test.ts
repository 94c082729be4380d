import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isInlineImage } from '../../src/generations/inline-images.ts';
import { withoutMediaInSteps } from '../../src/generations/media-in-steps.ts';
import { withoutMedia } from '../../src/generations/without-media.ts';
import { largeWork } from '../../src/lib/fairness/large-work.ts';
import type { Json } from '../../src/lib/json.ts';

const base64 = randomBytes(900_000).toString('base64');
const image = `data:image/png;base64,${base64}`;
const values: readonly (readonly [string, Json])[] = [
  ['an image', { messages: [{ role: 'user', content: [{ image_url: image }] }] }],
  ['an image and other media', [image, `data:audio/mp3;base64,${base64}`, base64]],
  ['prose', { text: 'word '.repeat(300_000) }],
  ['an image of text', `data:image/svg+xml,${'<g/>'.repeat(300_000)}`],
  ['small media beside a large text', ['word '.repeat(300_000), image.slice(0, 2000)]],
];

test.each(values)('a large request with %s is recorded as a small one would be', async (_what, value) => {
  for (const keeps of [undefined, isInlineImage]) {
    const [expected, replaced] = [new Array<string>(), new Array<string>()];
    const recorded = withoutMedia(value, { keeps, onReplaced: (text) => expected.push(text) });
    const inSteps = await withoutMediaInSteps(value, { keeps, onReplaced: (text) => replaced.push(text) });
    // A failed `toEqual` would print the texts.
    expect(JSON.stringify(inSteps) === JSON.stringify(recorded)).toBe(true);
    expect(replaced).toEqual(expected);
  }
});

test('media are hashed in steps of a quarter of a megabyte', async () => {
  const nextPiece = vi.spyOn(largeWork, 'nextPiece');
  onTestFinished(() => nextPiece.mockRestore());
  await withoutMediaInSteps([image, base64]);
  expect(nextPiece).toHaveBeenCalledTimes(10);
});
