import { readImageHeader, type ImageSize } from '../../lib/image-header.ts';
import { readImageUri } from '../http/members.ts';

/** Describes an image URL or a base64 data URI; undefined if it is neither. */
export function describeImageUrl(url: string): string | undefined {
  if (!/^data:/i.test(url)) return describeLink(url);
  const image = readImageUri(url);
  if (!image) return undefined;
  const { type, data } = image;
  // The size is in the first bytes, except in JPEGs with long metadata.
  const header = readImageHeader(Buffer.from(data.slice(0, 256 * 1024), 'base64'));
  return describeImage(type, header?.size ?? Math.floor((data.replace(/=+$/, '').length * 3) / 4));
}

/** `a PNG image of 64×32 pixels`, or its size in bytes if `size` is a number. */
export function describeImage(type: string, size: ImageSize | number): string {
  const kind = `${/^[aefhilmnorsx]/i.test(type) ? 'an' : 'a'} ${type.toUpperCase()} image`;
  return typeof size === 'number'
    ? `${kind} of ${size} bytes`
    : `${kind} of ${size.width}×${size.height} pixels`;
}

function describeLink(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  const file = pathname.split('/').pop() ?? '';
  return `the image at ${file === '' ? host : `${host}/${file}`}`;
}
