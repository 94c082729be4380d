import sharp from 'sharp';

export interface ImageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly format?: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'tiff';
  /** MIME type of the data URI. @default that of `format` */
  readonly mimeType?: string;
  /** Opacity. Without it, the image has no alpha channel. */
  readonly alpha?: number;
  /** EXIF orientation of a JPEG, 1 to 8. */
  readonly orientation?: number;
}

/** An image of one color as a data URI, by default 64 by 48 pixels. */
export async function inlineImage(options: ImageOptions = {}): Promise<string> {
  const { width = 64, height = 48, format = 'png', orientation, alpha } = options;
  const background = { r: 127, g: 200, b: 169, alpha: alpha ?? 1 };
  const channels = alpha === undefined ? 3 : 4;
  const picture = sharp({ create: { width, height, channels, background } }).toFormat(format);
  if (orientation !== undefined) picture.withMetadata({ orientation });
  return toDataUri(await picture.toBuffer(), options.mimeType ?? `image/${format}`);
}

/** A mask as a data URI with a white left half. */
export async function inlineMask({ width = 64, height = 48 }: ImageOptions = {}): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/><rect width="50%" height="100%" fill="#fff"/></svg>`;
  return toDataUri(await sharp(Buffer.from(svg)).png().toBuffer(), 'image/png');
}

export function toDataUri(bytes: Buffer | string, mimeType: string): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Fetches an image and decodes every pixel. @throws when it is incomplete or corrupt */
export async function decodeImage(
  url: string,
): Promise<{ readonly format: string; readonly width: number; readonly height: number }> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  const image = sharp(Buffer.from(await response.arrayBuffer()), { failOn: 'error' });
  const { format, width, height } = await image.metadata();
  await image.stats();
  return { format, width, height };
}
