import { isRecord, type Json, stringifyJson } from '../lib/json.ts';
import { sizeOfValue } from '../lib/json-size.ts';
import type { StoredOutput, TaskStatus } from '../store/records.ts';
import { describeBytes, withoutMedia } from './without-media.ts';

export interface DecodedReply {
  readonly status?: TaskStatus | undefined;
  readonly output?: StoredOutput | undefined;
}

/** Shorter text is kept: its description would not be much shorter. */
const minTextBytes = 512;
/** Bytes of JSON per character, at most. */
const maxBytesPerChar = 6;

/**
 * The reply without its inline media, for the record. Its size is limited only if it succeeded with an output: any other
 * reply may contain the only copy of what was paid for.
 */
export function toRecordedReply(reply: Json, { status, output }: DecodedReply, maxBytes: number): Json {
  const raw = withoutMedia(reply);
  return isLimited({ status, output }) ? limitReply(raw, maxBytes) : raw;
}

export function isLimited({ status, output }: DecodedReply): boolean {
  return status === 'SUCCEEDED' && output !== undefined;
}

/** Replaces all long texts by their size and hash, or the whole reply if it does not fit without them. */
function limitReply(reply: Json, maxBytes: number): Json {
  const maxChars = maxBytes / maxBytesPerChar;
  if (sizeOfValue(reply, maxChars) <= maxChars) return reply;
  const text = stringifyJson(reply);
  if (Buffer.byteLength(text) <= maxBytes) return reply;
  const limited = withoutTexts(reply);
  const isSmall = Buffer.byteLength(stringifyJson(limited)) <= maxBytes;
  return isSmall ? limited : describeBytes('json', Buffer.from(text));
}

export function withoutTexts(value: Json): Json {
  if (typeof value === 'string')
    return Buffer.byteLength(value) < minTextBytes ? value : describeBytes('text', Buffer.from(value));
  if (Array.isArray(value)) return value.map((item: Json) => withoutTexts(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutTexts(member)]));
}
