import { expect, test } from 'vitest';
import { isInlineImage, sizeOfImages } from '../../src/generations/inline-images.ts';

const image = `data:image/png;base64,${'A'.repeat(600)}`;

test('only the data URIs of images count, wherever they are', () => {
  expect(isInlineImage(image)).toBe(true);
  expect(isInlineImage('data:image/png;base64,AAAA')).toBe(false);
  expect(isInlineImage(image.replace('image/png', 'audio/mpeg'))).toBe(false);
  const text = 'word '.repeat(200);
  expect(sizeOfImages([image, text, { url: image, count: 3, none: null }])).toBe(2 * image.length);
  expect(sizeOfImages(text)).toBe(0);
  expect(sizeOfImages(undefined)).toBe(0);
});
