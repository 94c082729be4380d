import { readImageHeader } from '../lib/image-header.ts';
import type { Asset } from './asset.ts';
import { mediaKindOf } from './media-kind.ts';

/** MIME types of URL extensions. */
const typeOfExtension: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['m4a', 'audio/mp4'],
  ['ogg', 'audio/ogg'],
]);

/** Enough for the type of an image. */
const headChars = 64;

/** The MIME type of a file: as reported, else of an inline image's first bytes, else of the URL's extension. */
export function contentTypeOf({
  kind,
  contentType,
  base64,
  url,
}: Pick<Asset, 'kind' | 'contentType' | 'base64' | 'url'>): string | undefined {
  if (contentType !== undefined) return contentType;
  if (base64 !== undefined && kind === 'IMAGE') {
    const type = readImageHeader(Buffer.from(base64.slice(0, headChars), 'base64'))?.type;
    return type && `image/${type}`;
  }
  const type = typeOfUrl(url);
  return mediaKindOf(type) === kind ? type : undefined;
}

/** The MIME type of the extension of a URL. Undefined for other extensions. */
export function typeOfUrl(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const extension = /\.([a-z\d]+)$/i.exec(new URL(url).pathname)?.[1] ?? '';
  return typeOfExtension.get(extension.toLowerCase());
}
