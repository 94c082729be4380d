import { typeOfUrl } from '../../generations/content-type.ts';
import { mediaKindOf } from '../../generations/media-kind.ts';
import type { Asset } from '../../generations/asset.ts';
import { isWebAddress, readDataUri } from '../../lib/addresses.ts';
import { isRecord } from '../../lib/json.ts';

/** Deeper than models nest their output. */
const maxDepth = 8;

/**
 * The files in an output, each once and in order: URLs and data URIs at any depth, since every hosted model has its own
 * output shape.
 */
export function findFiles(output: unknown): readonly Asset[] {
  const found = new Map<string, Asset>();
  const visit = (value: unknown, depth: number): void => {
    if (depth > maxDepth) return;
    if (typeof value === 'string' && !found.has(value)) {
      const file = toAddressedFile(value) ?? toInlineFile(value);
      if (file) found.set(value, file);
    }
    if (Array.isArray(value) || isRecord(value))
      for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(output, 0);
  return [...found.values()];
}

/** A file with an unknown extension counts as an image. */
function toAddressedFile(url: string): Asset | undefined {
  if (!isWebAddress(url)) return undefined;
  return { kind: mediaKindOf(typeOfUrl(url)) ?? 'IMAGE', url };
}

/** Data of any other type, such as text, is not an asset. It stays in the output's `value`. */
function toInlineFile(uri: string): Asset | undefined {
  const inline = readDataUri(uri);
  const kind = mediaKindOf(inline?.contentType);
  return inline && kind && { kind, ...inline };
}
