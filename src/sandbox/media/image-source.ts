import { invalidRequest } from '../http/errors.ts';
import { readImageUri } from '../http/members.ts';
import { mediaPath, type MediaLibrary } from './library.ts';
import type { ImageFacts } from './renderer.ts';

/** An image of a request. `unseen`: it is on another host, and the sandbox makes no requests. */
export type ImageSource = { readonly bytes: Uint8Array; readonly facts: ImageFacts } | 'unseen';

/** File types of most families, as extensions. */
const usualTypes = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'];

export interface ImageRule {
  /** The member of the request, for messages. */
  readonly member: string;
  /**
   * Accepted file types, as extensions.
   * @default jpg, jpeg, png, webp, gif and avif
   */
  readonly types?: readonly string[];
}

/** Opens a base64 data URI or an address of the sandbox's media. Refuses (400) what is not an image of an accepted type. */
export async function openImage(
  media: MediaLibrary,
  url: string,
  { member, types = usualTypes }: ImageRule,
): Promise<ImageSource> {
  const rule = { member, types };
  const bytes = /^data:/i.test(url) ? decodeDataUri(url, rule) : await fetchOwn(media, url, member);
  if (bytes === undefined) {
    refuseOtherExtension(url, rule);
    return 'unseen';
  }
  const facts = await media.inspect(bytes);
  if (!facts) throw invalidRequest(`${member}: not a readable image of at most 8192x8192 pixels`);
  // The container of AVIF is HEIF.
  const format = facts.format === 'heif' ? 'avif' : facts.format;
  if (!types.includes(format)) throw wrongType(format, rule);
  return { bytes, facts };
}

/** Refuses (400) a mask of another size than its image, if the sandbox has both. */
export function refuseOtherSize(image: ImageSource, mask: ImageSource, member: string): void {
  if (image === 'unseen' || mask === 'unseen') return;
  const [a, b] = [image.facts, mask.facts];
  if (a.width === b.width && a.height === b.height) return;
  throw invalidRequest(
    `${member}: the mask is invalid: it has ${b.width}x${b.height} pixels, the image ${a.width}x${a.height}`,
  );
}

function decodeDataUri(url: string, rule: Required<ImageRule>): Uint8Array {
  const image = readImageUri(url);
  if (!image) throw invalidRequest(`${rule.member}: not a valid base64 data URI of an image`);
  if (!rule.types.includes(image.type.toLowerCase())) throw wrongType(image.type, rule);
  return Buffer.from(image.data, 'base64');
}

async function fetchOwn(media: MediaLibrary, url: string, member: string): Promise<Uint8Array | undefined> {
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw invalidRequest(`${member}: expected an image URL or a base64 data URI`);
  }
  const { pathname } = new URL(url);
  // Names of media cannot be guessed, so the host need not be checked.
  const medium = pathname.startsWith(mediaPath) ? media.find(pathname.slice(mediaPath.length)) : undefined;
  if (medium?.msLeft === 0) throw invalidRequest(`${member}: the address has expired`);
  return medium?.read();
}

function refuseOtherExtension(url: string, rule: Required<ImageRule>): void {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  const isOther =
    extension !== undefined &&
    /^(bmp|tiff?|svg|heic|pdf|ico|psd|avif|mp4|mov|webm|mp3|txt|html?|json)$/.test(extension);
  if (isOther && !rule.types.includes(extension)) throw wrongType(extension, rule);
}

function wrongType(type: string, { member, types }: Required<ImageRule>): Error {
  return invalidRequest(`${member}: ${type} is not an accepted type, expected ${types.join(', ')}`);
}
