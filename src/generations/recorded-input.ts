import { isRecord, type Json, type JsonObject, stringifyJson } from '../lib/json.ts';
import { describeBytes } from './without-media.ts';

/** Shorter text is kept: its description would not be much shorter. */
const minTextBytes = 512;
/** At most this long: `text: 12345678 bytes, sha256 …`. */
const descriptionBytes = 128;

/**
 * Limits the size of a recorded request: replaces its longest texts by their size and hash until it fits. A request that does
 * not fit without its texts is replaced as a whole.
 */
export function limitInput(input: JsonObject, maxBytes: number): JsonObject {
  const sizeBytes = sizeOf(input);
  if (sizeBytes <= maxBytes) return input;
  const threshold = findThreshold(longTexts(input), sizeBytes - maxBytes);
  const limited = threshold === undefined ? undefined : withoutTexts(input, threshold);
  if (isRecord(limited) && sizeOf(limited) <= maxBytes) return limited;
  return { request: describeBytes('json', Buffer.from(stringifyJson(input))) };
}

export function limitPrompt(prompt: string | undefined, maxBytes: number): string | undefined {
  return prompt === undefined || sizeOf(prompt) <= maxBytes ? prompt : describeText(prompt);
}

/** The size from which texts are replaced, so that the value shrinks by `excessBytes`. Undefined if that is impossible. */
function findThreshold(sizes: readonly number[], excessBytes: number): number | undefined {
  let remaining = excessBytes;
  for (const size of sizes.toSorted((a, b) => b - a)) {
    remaining -= size - descriptionBytes;
    if (remaining <= 0) return size;
  }
  return undefined;
}

function longTexts(value: Json): readonly number[] {
  if (typeof value === 'string') {
    const size = sizeOf(value);
    return size >= minTextBytes ? [size] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item: Json) => longTexts(item));
  return isRecord(value) ? Object.values(value).flatMap((member) => longTexts(member)) : [];
}

function withoutTexts(value: Json, threshold: number): Json {
  if (typeof value === 'string') return sizeOf(value) >= threshold ? describeText(value) : value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutTexts(item, threshold));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutTexts(member, threshold)]),
  );
}

function describeText(text: string): string {
  return describeBytes('text', Buffer.from(text));
}

/** Size as JSON, as it is recorded. */
function sizeOf(value: Json): number {
  return Buffer.byteLength(stringifyJson(value));
}
