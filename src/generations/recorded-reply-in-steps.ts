import { createHash } from 'node:crypto';
import { isList, isRecord, type Json } from '../lib/json.ts';
import { joinPieces, jsonPieces, textPieces } from '../lib/json-pieces.ts';
import { isLarge, largeChars, pieceChars, sizeOfValue } from '../lib/json-size.ts';
import { largeWork } from '../lib/fairness/large-work.ts';
import { type DecodedReply, isLimited, toRecordedReply, withoutTexts } from './recorded-reply.ts';
import { describeDigest, splitDataUri, withoutMedia } from './without-media.ts';

/** Like `toRecordedReply`. A large reply is divided into pieces. */
export async function toRecordedReplyInSteps(
  reply: Json,
  decoded: DecodedReply,
  maxBytes: number,
): Promise<Json> {
  if (!isLarge(reply)) return toRecordedReply(reply, decoded, maxBytes);
  const steps = createSteps();
  await largeWork.nextPiece();
  const raw = await mapTexts(reply, {
    steps,
    mapSmall: withoutMedia,
    mapText: async (text) => (await describeMedia(text, steps)) ?? text,
  });
  if (!isLimited(decoded) || (await fits(raw, maxBytes))) return raw;
  const limited = await mapTexts(raw, {
    steps,
    mapSmall: withoutTexts,
    mapText: (text) => describeTexts('text', textPieces(text), steps),
  });
  if (await fits(limited, maxBytes)) return limited;
  return describeTexts('json', joinPieces(jsonPieces(raw)), steps);
}

/** Counts work, and begins the next piece whenever the last one has its size. */
type Steps = (chars: number) => Promise<void> | undefined;

function createSteps(): Steps {
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

async function mapTexts(value: Json, mapping: TextMapping): Promise<Json> {
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

async function fits(value: Json, maxBytes: number): Promise<boolean> {
  let bytes = 0;
  for (const text of joinPieces(jsonPieces(value))) {
    await largeWork.nextPiece();
    bytes += Buffer.byteLength(text);
    if (bytes > maxBytes) return false;
  }
  return true;
}

/** Like `describeMedia` of `without-media.ts`, for a large text. */
async function describeMedia(text: string, steps: Steps): Promise<string | undefined> {
  const uri = splitDataUri(text);
  if (uri && !uri.isBase64) return describeTexts(uri.head, textPieces(uri.body), steps);
  const body = uri ? uri.body : text;
  if (await isBase64(body, steps)) return describeBase64(uri?.head ?? 'base64', body, steps);
  return uri && withoutMedia(text);
}

async function isBase64(text: string, steps: Steps): Promise<boolean> {
  for (let start = 0; start < text.length; start += pieceChars) {
    await steps(pieceChars);
    const piece = text.slice(start, start + pieceChars);
    const isLast = start + pieceChars >= text.length;
    if (!(isLast ? /^[A-Za-z\d+/_-]*={0,2}$/ : /^[A-Za-z\d+/_-]+$/).test(piece)) return false;
  }
  return true;
}

async function describeBase64(head: string, text: string, steps: Steps): Promise<string> {
  const hasher = createHash('sha256');
  let size = 0;
  // A multiple of four characters.
  for (let start = 0; start < text.length; start += pieceChars) {
    await steps(pieceChars);
    const bytes = Buffer.from(text.slice(start, start + pieceChars), 'base64');
    hasher.update(bytes);
    size += bytes.length;
  }
  return describeDigest(head, size, hasher);
}

async function describeTexts(head: string, texts: Iterable<string>, steps: Steps): Promise<string> {
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
