import sharp from 'sharp';
import type { ImageFacts } from './renderer.ts';

/** Decodes an image fully; undefined for bytes that are none, or a broken one. */
export async function inspectImage(bytes: Uint8Array): Promise<ImageFacts | undefined> {
  try {
    const image = sharp(bytes, { failOn: 'error' });
    const { format, width, height, hasAlpha } = await image.metadata();
    const { isOpaque } = await image.stats();
    return { format, width, height, isTransparent: hasAlpha && !isOpaque };
  } catch {
    return undefined;
  }
}
