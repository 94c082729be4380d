import type { Asset } from '../../generations/asset.ts';
import { contentTypeOf } from '../../generations/content-type.ts';
import { asWebAddress, readDataUri } from '../../lib/addresses.ts';
import { asArray, asRecord, asString } from '../../lib/json.ts';
import type { ChatChoice, ChatImage } from './completion.ts';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  readonly url: string;
  readonly detail?: string | undefined;
}

/** Text and images in order. Undefined without images. */
export function partsOf({
  content = '',
  images,
}: Pick<ChatChoice, 'content' | 'images'>): readonly (TextPart | ImagePart)[] | undefined {
  const inserts = images?.map(({ url, offset }) => ({ offset, part: { type: 'image', url } as const }));
  return inserts && withInserts(content, inserts);
}

/** The text as parts, with other parts at these offsets, in their order. */
export function withInserts<Part>(
  text: string,
  inserts: readonly { readonly offset: number; readonly part: Part }[],
): readonly (TextPart | Part)[] {
  const parts: (TextPart | Part)[] = [];
  let start = 0;
  const addText = (end: number): void => {
    if (end > start) parts.push({ type: 'text', text: text.slice(start, end) });
    start = end;
  };
  for (const { offset, part } of inserts) {
    addText(offset);
    parts.push(part);
  }
  addText(text.length);
  return parts;
}

export function toAsset({ url }: ChatImage): Asset {
  return { kind: 'IMAGE', ...(readDataUri(url) ?? { url }) };
}

/** The text of a message or delta, and its images. Gateways send images among the parts of `content`, or as `images`. */
export function decodeContent(
  body: Readonly<Record<string, unknown>>,
): Pick<ChatChoice, 'content' | 'images'> {
  const { content, images: listed } = body;
  if (!Array.isArray(content) && !Array.isArray(listed)) return { content: asString(content) };
  let text = asString(content);
  const images: ChatImage[] = [];
  const addImage = (item: unknown): void => {
    const url = imageUrlOf(item);
    if (url !== undefined) images.push({ url, offset: text?.length ?? 0 });
  };
  for (const part of asArray(content)) {
    const partText = asString(asRecord(part)?.['text']);
    if (partText === undefined) addImage(part);
    else text = (text ?? '') + partText;
  }
  for (const item of asArray(listed)) addImage(item);
  return { content: text, images: images.length > 0 ? images : undefined };
}

/** The address or data URI of an image in one of the common shapes. */
export function imageUrlOf(item: unknown): string | undefined {
  const part = asRecord(item) ?? { image_url: item };
  const isOther = !(asString(part['type']) ?? 'image').includes('image');
  const named = part['image_url'] ?? part['image'] ?? (isOther ? undefined : part['url']);
  const source = asRecord(part['source']);
  const url = asString(named) ?? asString(asRecord(named)?.['url']) ?? asString(source?.['url']);
  if (url !== undefined) return isImageData(url) ? url : asWebAddress(url);
  const inline = asRecord(part['inline_data'] ?? part['inlineData']) ?? source ?? part;
  const base64 = asString(inline['data'] ?? inline['b64_json']);
  if (base64 === undefined || base64 === '') return undefined;
  const named64 = asString(inline['mime_type'] ?? inline['mimeType'] ?? inline['media_type']);
  const contentType = named64 ?? contentTypeOf({ kind: 'IMAGE', base64 });
  const data = `data:${contentType};base64,${base64}`;
  return isImageData(data) ? data : undefined;
}

function isImageData(url: string): boolean {
  return /^data:image\//i.test(url) && readDataUri(url) !== undefined;
}
