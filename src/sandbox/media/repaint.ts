import sharp, { type Sharp } from 'sharp';
import { drawPicture, encodePicture, renderPicture } from './picture.ts';
import type { RepaintRecipe } from './recipes.ts';

/** Repaints the masked part of an image. The other pixels do not change. */
export async function renderRepaint(recipe: RepaintRecipe): Promise<Uint8Array> {
  const { prompt, seed, width, height, format, isBlack, outpaint } = recipe;
  if (isBlack === true)
    return renderPicture({ kind: 'picture', prompt, seed, width, height, format, isBlack });
  const image = openImage(recipe);
  if (outpaint) return encodePicture(await expand(image, recipe, outpaint), format);

  // The mask becomes the new picture's alpha channel. Two pipelines, since sharp removes alpha after all other steps.
  const size = { width, height };
  const colors = await sharp(drawPicture(prompt, seed, width, height))
    .removeAlpha()
    .raw()
    .toBuffer();
  const paint = await sharp(colors, { raw: { ...size, channels: 3 } })
    .joinChannel(await readMask(recipe), { raw: { ...size, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const kept = await image.flatten({ background: '#000' }).png({ compressionLevel: 1 }).toBuffer();
  return encodePicture(
    sharp(kept)
      .composite([{ input: paint }])
      .removeAlpha(),
    format,
  );
}

function openImage({ image, seed, width, height }: RepaintRecipe): Sharp {
  const opened = image
    ? sharp(image).autoOrient()
    : sharp(drawPicture('', `stand-in ${seed}`, width, height));
  return opened.resize(width, height, { fit: 'fill' }).toColourspace('srgb');
}

/** One byte per pixel: 255 is repainted. */
async function readMask({ image, mask, width, height }: RepaintRecipe): Promise<Buffer> {
  if (mask === 'unseen') {
    const ellipse = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/><ellipse cx="50%" cy="50%" rx="28%" ry="28%" fill="#fff"/></svg>`;
    return sharp(Buffer.from(ellipse)).extractChannel(0).raw().toBuffer();
  }
  if (mask === 'alpha') {
    const source = sharp(image).autoOrient().resize(width, height, { fit: 'fill' }).ensureAlpha();
    return source.extractChannel('alpha').negate().raw().toBuffer();
  }
  const grey = sharp(mask)
    .autoOrient()
    .resize(width, height, { fit: 'fill' })
    .flatten({ background: '#000' })
    .greyscale();
  return grey.extractChannel(0).raw().toBuffer();
}

async function expand(
  image: Sharp,
  { prompt, seed, width, height }: RepaintRecipe,
  outpaint: NonNullable<RepaintRecipe['outpaint']>,
): Promise<Sharp> {
  const left = Math.round(outpaint.left * width);
  const top = Math.round(outpaint.top * height);
  const wholeWidth = width + left + Math.round(outpaint.right * width);
  const wholeHeight = height + top + Math.round(outpaint.bottom * height);
  const input = await image.png({ compressionLevel: 1 }).toBuffer();
  return sharp(drawPicture(prompt, seed, wholeWidth, wholeHeight)).composite([{ input, left, top }]);
}
