import sharp, { type Sharp } from 'sharp';
import { drawCaption } from './caption.ts';
import type { PictureFormat, PictureRecipe } from './recipes.ts';
import { composeScene, drawScene } from './scene.ts';
import { drawWatermark } from './watermark.ts';

/** A picture for a prompt: a landscape in the colours of its words, with the words below. */
export function renderPicture(recipe: PictureRecipe): Promise<Uint8Array> {
  const { prompt, seed, width, height, format, isBlack, isMarked } = recipe;
  if (isBlack === true) {
    const black = sharp({ create: { width, height, channels: 3, background: '#000' } });
    return encodePicture(black, format);
  }
  const picture = sharp(drawPicture(prompt, seed, width, height));
  const marks = isMarked === true ? [{ input: drawWatermark(width, height), gravity: 'southeast' }] : [];
  return encodePicture(picture.composite(marks), format);
}

/** The SVG of a prompt's picture. */
export function drawPicture(prompt: string, seed: string, width: number, height: number): Buffer {
  const scene = composeScene(prompt, seed);
  return Buffer.from(drawScene(scene, width, height, drawCaption(prompt, width, height)));
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
