import { createHash, type Hash } from 'node:crypto';
import { base64Digits } from '../lib/base64.ts';
import { isRecord, type Json, type JsonObject } from '../lib/json.ts';

/** Shorter text is always kept. */
export const minMediaChars = 512;

export interface MediaReplacement {
  /** Whether a data URI is recorded whole. @default never */
  readonly keeps?: ((uri: string) => boolean) | undefined;
  /** Receives what is recorded in place of a text. */
  readonly onReplaced?: ((description: string) => void) | undefined;
}

/** Replaces inline media in a request or reply by its size and hash, for the record. */
export function withoutMedia<Value extends Json>(value: Value, replacement?: MediaReplacement): Value;
export function withoutMedia(value: Json, replacement: MediaReplacement = {}): Json {
  if (typeof value === 'string') return describeMedia(value, replacement) ?? value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutMedia(item, replacement));
  return isRecord(value) ? withoutMediaMembers(value, replacement) : value;
}

function withoutMediaMembers(value: JsonObject, replacement: MediaReplacement): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutMedia(member, replacement)]),
  );
}

/** Recognizes data URIs and bare base64 text. Prose of this length contains a space. */
function describeMedia(text: string, { keeps, onReplaced }: MediaReplacement): string | undefined {
  if (text.length < minMediaChars) return undefined;
  const uri = splitDataUri(text);
  if (uri && keeps?.(text)) return undefined;
  const description = uri
    ? describeBytes(uri.head, Buffer.from(uri.body, uri.isBase64 ? 'base64' : 'utf8'))
    : base64Digits(text) !== undefined
      ? describeBytes('base64', Buffer.from(text, 'base64'))
      : undefined;
  if (description !== undefined) onReplaced?.(description);
  return description;
}

export interface DataUri {
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

/** Replaces content in a record. */
export function describeBytes(head: string, bytes: Buffer): string {
  return describeDigest(head, bytes.length, createHash('sha256').update(bytes));
}

export function describeDigest(head: string, size: number, hasher: Hash): string {
  return `${head}: ${size} bytes, sha256 ${hasher.digest('hex')}`;
}
