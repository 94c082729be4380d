import { readImageHeader } from '../lib/image-header.ts';
import type { Asset, AssetKind } from './asset.ts';

/** MIME types of URL extensions, for each kind of asset. */
const typesOfKind: Readonly<Record<AssetKind, ReadonlyMap<string, string>>> = {
  IMAGE: new Map([
    ['jpg', 'image/jpeg'],
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
  ]),
  VIDEO: new Map([
    ['mp4', 'video/mp4'],
    ['webm', 'video/webm'],
    ['mov', 'video/quicktime'],
  ]),
  AUDIO: new Map([
    ['mp3', 'audio/mpeg'],
    ['wav', 'audio/wav'],
    ['m4a', 'audio/mp4'],
    ['ogg', 'audio/ogg'],
  ]),
};

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
  return typesOfKind[kind].get(extensionOf(url) ?? '');
}

/** The extension of the path of a URL, in lower case. */
export function extensionOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return /\.([a-z\d]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
}
