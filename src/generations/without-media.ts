import { createHash } from 'node:crypto';
import { doInPieces, type Steps } from '../lib/fairness/steps.ts';
import type { Json } from '../lib/json.ts';
import { textPieces } from '../lib/json-pieces.ts';
import { pieceChars } from '../lib/json-size.ts';
import {
  describeDigest,
  describeTexts,
  replaceTexts,
  replaceTextsInSteps,
  type TextReplacement,
} from './replace-texts.ts';

/** Shorter text is always kept. */
export const minMediaChars = 512;

export interface MediaReplacement {
  /** Whether a data URI is recorded whole. @default never */
  readonly keeps?: ((uri: string) => boolean) | undefined;
  /** Receives what is recorded in place of a text. */
  readonly onReplaced?: ((description: string) => void) | undefined;
}

/** Replaces inline media in a request or reply by its size and hash, for the record. */
export function withoutMedia<Value extends Json>(value: Value, replacement?: MediaReplacement): Value {
  return replaceTexts(value, replaceMedia(replacement));
}

/** Like `withoutMedia`. A large value is divided into pieces. */
export function withoutMediaInPieces<Value extends Json>(
  value: Value,
  replacement?: MediaReplacement,
): Promise<Value>;
export function withoutMediaInPieces(value: Json, replacement?: MediaReplacement): Promise<Json> {
  return doInPieces(withoutMediaInSteps(value, replacement));
}

export function withoutMediaInSteps(value: Json, replacement?: MediaReplacement): Steps<Json> {
  return replaceTextsInSteps(value, replaceMedia(replacement));
}

/** Recognizes data URIs and bare base64 text. Prose of this length contains a space. */
function replaceMedia({ keeps, onReplaced }: MediaReplacement = {}): TextReplacement {
  return {
    isShort: (text) => text.length < minMediaChars,
    *replace(text) {
      const uri = splitDataUri(text);
      if (uri && keeps?.(text)) return text;
      const description = yield* uri ? describeUri(uri) : describeBase64('base64', text);
      if (description !== undefined) onReplaced?.(description);
      return description ?? text;
    },
  };
}

interface DataUri {
  readonly head: string;
  readonly isBase64: boolean;
  readonly body: string;
}

export function splitDataUri(text: string): DataUri | undefined {
  if (!/^data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text.slice(0, 100))) return undefined;
  const comma = text.indexOf(',');
  const head = text.slice(0, comma);
  return { head, isBase64: head.endsWith(';base64'), body: text.slice(comma + 1) };
}

function* describeUri({ head, isBase64, body }: DataUri): Steps<string> {
  if (!isBase64) return yield* describeTexts(head, textPieces(body));
  const description = yield* describeBase64(head, body);
  if (description !== undefined) return description;
  // Other characters, like line breaks, count only for a decoder that sees the whole.
  const bytes = Buffer.from(body, 'base64');
  return describeDigest(head, bytes.length, createHash('sha256').update(bytes));
}

/** Size and hash of what base64 text encodes, in either alphabet. Undefined if it is not base64. */
function* describeBase64(head: string, text: string): Steps<string | undefined> {
  const end = text.length - (text.endsWith('==') ? 2 : Number(text.endsWith('=')));
  const hasher = createHash('sha256');
  let size = 0;
  // A multiple of four characters.
  for (let start = 0; start < end; start += pieceChars) {
    yield pieceChars;
    const piece = text.slice(start, Math.min(start + pieceChars, end));
    if (/[^A-Za-z\d+/_-]/.test(piece)) return undefined;
    const bytes = Buffer.from(piece, 'base64');
    hasher.update(bytes);
    size += bytes.length;
  }
  return describeDigest(head, size, hasher);
}
