import { isList, isObject } from './json.ts';

/** Quotes and separators around a name or a value. */
export const punctuation = 4;
/** No number, boolean or timestamp is longer. */
const maxScalarChars = 28;

/**
 * Size of a value in characters of JSON before escaping, which makes a character at most six. Stops counting above the limit,
 * so that it goes no deeper into a value than a small limit allows.
 */
export function sizeOfValue(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + punctuation;
  if (typeof value === 'bigint') return value.toString().length + punctuation;
  if (!isObject(value)) return maxScalarChars;
  let size = punctuation;
  if (size > limit) return size;
  if (isList(value)) {
    for (const item of value) {
      size += sizeOfValue(item, limit - size);
      if (size > limit) return size;
    }
    return size;
  }
  // Allocates no list of members: every save of a running stream measures its output.
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const member: unknown = value[name];
    size += name.length + punctuation + sizeOfValue(member, limit - size);
    if (size > limit) return size;
  }
  return size;
}

/** Bytes of JSON per character, at most. */
export const maxBytesPerChar = 6;

/** Whether the JSON of a value has at most this size, whatever its characters are. */
export function fitsSurely(value: unknown, maxBytes: number): boolean {
  const maxChars = maxBytes / maxBytesPerChar;
  return sizeOfValue(value, maxChars) <= maxChars;
}

/** Work on more characters than this is divided into pieces. */
export const largeChars = 1_000_000;
/** Of a piece, about: hashing, parsing or writing takes 1 to 2 ms. */
export const pieceChars = 250_000;

/** Whether work on the value is divided into pieces. */
export function isLarge(value: unknown): boolean {
  return sizeOfValue(value, largeChars) > largeChars;
}
