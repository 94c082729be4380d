import sharp, { type Sharp } from 'sharp';
import { drawWatermark } from './caption.ts';
import type { PictureFormat, PictureRecipe } from './recipes.ts';
import type { ImageFacts } from './renderer.ts';
import { composeScene, drawScene } from './scene.ts';

/** A picture for a prompt: a landscape in the colors of its words, with the words below. */
export function renderPicture(recipe: PictureRecipe): Promise<Uint8Array> {
  const { prompt, seed, width, height, format, isBlack = false, isMarked = false } = recipe;
  if (isBlack) {
    return encodePicture(sharp({ create: { width, height, channels: 3, background: '#000' } }), format);
  }
  const picture = sharp(drawPicture(prompt, seed, width, height));
  const marks = isMarked ? [{ input: drawWatermark(width, height), gravity: 'southeast' }] : [];
  return encodePicture(picture.composite(marks), format);
}

/** The SVG of a prompt's picture. */
export function drawPicture(prompt: string, seed: string, width: number, height: number): Buffer {
  return drawScene(composeScene(prompt, seed), { width, height, caption: prompt });
}

export function encodePicture(image: Sharp, format: PictureFormat): Promise<Uint8Array> {
  switch (format) {
    case 'jpeg':
      return image.flatten({ background: '#000' }).jpeg({ quality: 86 }).toBuffer();
    case 'png':
      return image.png({ compressionLevel: 6 }).toBuffer();
    case 'webp':
      return image.webp({ quality: 86, effort: 2 }).toBuffer();
    case 'gif':
      return image.gif({ effort: 3 }).toBuffer();
    default:
      return format satisfies never;
  }
}

/** A larger image would occupy a thread of the pool for many seconds. */
const maxInputPixels = 8192 * 8192;

/** Decodes an image fully. Undefined for bytes that are not an image, or a broken one, and for an image of too many pixels. */
export async function inspectImage(bytes: Uint8Array): Promise<ImageFacts | undefined> {
  try {
    const image = sharp(bytes, { failOn: 'error', limitInputPixels: maxInputPixels });
    const { format, autoOrient, hasAlpha } = await image.metadata();
    const { isOpaque } = await image.stats();
    return { format, ...autoOrient, isTransparent: hasAlpha && !isOpaque };
  } catch {
    return undefined;
  }
}
