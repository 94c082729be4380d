import { createHash, type Hash } from 'node:crypto';
import { doAtOnce, type Steps } from '../lib/fairness/steps.ts';
import { isList, isRecord, type Json, replaceStrings } from '../lib/json.ts';
import { isLarge, largeChars, pieceChars, sizeOfValue } from '../lib/json-size.ts';

export interface TextReplacement {
  /** Whether a text is kept because it is short. */
  readonly isShort: (text: string) => boolean;
  /** What is recorded in place of another text. The text itself if it is kept. */
  readonly replace: (text: string) => Steps<string>;
}

/** Shorter text is kept in a record: its description would not be much shorter. */
export const minTextBytes = 512;

/** The value with other texts. */
export function replaceTexts<Value extends Json>(value: Value, { isShort, replace }: TextReplacement): Value {
  return replaceStrings(value, (text) => (isShort(text) ? text : doAtOnce(replace(text))));
}

/** Like `replaceTexts`. A part that is not large is one step. */
export function* replaceTextsInSteps(value: Json, replacement: TextReplacement): Steps<Json> {
  if (!isLarge(value)) {
    yield sizeOfValue(value, largeChars);
    return replaceTexts(value, replacement);
  }
  if (typeof value === 'string') return yield* replacement.replace(value);
  if (isList(value)) {
    const items: Json[] = [];
    for (const item of value) items.push(yield* replaceTextsInSteps(item, replacement));
    return items;
  }
  if (!isRecord(value)) return value;
  const members: (readonly [string, Json])[] = [];
  for (const [name, member] of Object.entries(value))
    members.push([name, yield* replaceTextsInSteps(member, replacement)]);
  return Object.fromEntries(members);
}

/** Replaces a text that comes in pieces by its size and hash. */
export function* describeTexts(head: string, texts: Iterable<string>): Steps<string> {
  const hasher = createHash('sha256');
  let size = 0;
  for (const text of texts) {
    yield pieceChars;
    const bytes = Buffer.from(text);
    hasher.update(bytes);
    size += bytes.length;
  }
  return describeDigest(head, size, hasher);
}

export function describeDigest(head: string, size: number, hasher: Hash): string {
  return `${head}: ${size} bytes, sha256 ${hasher.digest('hex')}`;
}
