import type { AssetKind } from './asset.ts';

const kindOfType: ReadonlyMap<string, AssetKind> = new Map([
  ['image', 'IMAGE'],
  ['video', 'VIDEO'],
  ['audio', 'AUDIO'],
]);

/** The media kind of a MIME type. Undefined for anything but images, videos and audio. */
export function mediaKindOf(mimeType: string | undefined): AssetKind | undefined {
  return kindOfType.get(mimeType?.split('/')[0]?.toLowerCase() ?? '');
}
