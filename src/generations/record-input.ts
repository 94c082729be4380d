import { createHash } from 'node:crypto';
import { isRecord, type Json, type JsonObject } from '../lib/json.ts';

/** Shorter text is kept whatever it is. */
const minMediaChars = 512;

/** A request body as records keep it: inline media replaced by size and hash. */
export function toRecordedInput(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, withoutMedia(value)]));
}

function withoutMedia(value: Json): Json {
  if (typeof value === 'string') return isInlineMedia(value) ? describeMedia(value) : value;
  if (Array.isArray(value)) return value.map(withoutMedia);
  return isRecord(value) ? toRecordedInput(value) : value;
}

function isInlineMedia(text: string): boolean {
  return text.length >= minMediaChars && /^data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text.slice(0, 100));
}

function describeMedia(dataUri: string): string {
  const comma = dataUri.indexOf(',');
  const head = dataUri.slice(0, comma);
  const bytes = Buffer.from(dataUri.slice(comma + 1), head.endsWith(';base64') ? 'base64' : 'utf8');
  const hash = createHash('sha256').update(bytes).digest('hex');
  return `${head}: ${bytes.length} bytes, sha256 ${hash}`;
}
