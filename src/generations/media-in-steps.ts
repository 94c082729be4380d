import { createHash } from 'node:crypto';
import { isList, isRecord, type Json } from '../lib/json.ts';
import { textPieces } from '../lib/json-pieces.ts';
import { isLarge, largeChars, pieceChars, sizeOfValue } from '../lib/json-size.ts';
import { largeWork } from '../lib/fairness/large-work.ts';
import {
  type DataUri,
  describeDigest,
  type MediaReplacement,
  splitDataUri,
  withoutMedia,
} from './without-media.ts';

/** Like `withoutMedia`. A large value is divided into steps. */
export function withoutMediaInSteps<Value extends Json>(
  value: Value,
  replacement?: MediaReplacement,
  steps?: Steps,
): Promise<Value>;
export async function withoutMediaInSteps(
  value: Json,
  replacement: MediaReplacement = {},
  steps: Steps = createSteps(),
): Promise<Json> {
  return mapTexts(value, {
    steps,
    mapSmall: (small) => withoutMedia(small, replacement),
    mapText: async (text) => (await describeMedia(text, replacement, steps)) ?? text,
  });
}

/** Counts work, and begins the next piece whenever the last one has its size. */
export type Steps = (chars: number) => Promise<void> | undefined;

export function createSteps(): Steps {
  let done = 0;
  return (chars) => {
    done += chars;
    if (done < pieceChars) return undefined;
    done = 0;
    return largeWork.nextPiece();
  };
}

interface TextMapping {
  readonly steps: Steps;
  readonly mapSmall: (value: Json) => Json;
  /** For a text of more than one step. */
  readonly mapText: (text: string) => Promise<string>;
}

export async function mapTexts(value: Json, mapping: TextMapping): Promise<Json> {
  if (!isLarge(value)) {
    await mapping.steps(sizeOfValue(value, largeChars));
    return mapping.mapSmall(value);
  }
  if (typeof value === 'string') return mapping.mapText(value);
  if (isList(value)) {
    const items: Json[] = [];
    for (const item of value) items.push(await mapTexts(item, mapping));
    return items;
  }
  if (!isRecord(value)) return value;
  const members: (readonly [string, Json])[] = [];
  for (const [name, member] of Object.entries(value)) members.push([name, await mapTexts(member, mapping)]);
  return Object.fromEntries(members);
}

/** Like `describeMedia` of `without-media.ts`, for a large text. */
async function describeMedia(
  text: string,
  { keeps, onReplaced }: MediaReplacement,
  steps: Steps,
): Promise<string | undefined> {
  const uri = splitDataUri(text);
  if (uri && keeps?.(text)) return undefined;
  const description = await (uri ? describeUri(text, uri, steps) : describeBase64('base64', text, steps));
  if (description !== undefined) onReplaced?.(description);
  return description;
}

async function describeUri(text: string, { head, isBase64, body }: DataUri, steps: Steps): Promise<string> {
  if (!isBase64) return describeTexts(head, textPieces(body), steps);
  // Other characters, like line breaks, count only for a decoder that sees the whole.
  return (await describeBase64(head, body, steps)) ?? withoutMedia(text);
}

/** Undefined if it is not base64. */
async function describeBase64(head: string, text: string, steps: Steps): Promise<string | undefined> {
  const hasher = createHash('sha256');
  let size = 0;
  // A multiple of four characters.
  for (let start = 0; start < text.length; start += pieceChars) {
    await steps(pieceChars);
    const piece = text.slice(start, start + pieceChars);
    const isLast = start + pieceChars >= text.length;
    if (!(isLast ? /^[A-Za-z\d+/_-]*={0,2}$/ : /^[A-Za-z\d+/_-]+$/).test(piece)) return undefined;
    const bytes = Buffer.from(piece, 'base64');
    hasher.update(bytes);
    size += bytes.length;
  }
  return describeDigest(head, size, hasher);
}

/** Size and hash of a text that comes in pieces. */
export async function describeTexts(
  head: string,
  texts: Iterable<string>,
  steps: Steps = createSteps(),
): Promise<string> {
  const hasher = createHash('sha256');
  let size = 0;
  for (const text of texts) {
    await steps(pieceChars);
    const bytes = Buffer.from(text);
    hasher.update(bytes);
    size += bytes.length;
  }
  return describeDigest(head, size, hasher);
}
