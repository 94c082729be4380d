import { type Json, type JsonObject, replaceStrings, stringifyJson, stringsIn } from '../lib/json.ts';
import { joinPieces, jsonPieces, stringPieces, textPieces } from '../lib/json-pieces.ts';
import { fitsSurely, maxBytesPerChar } from '../lib/json-size.ts';
import { largeWork } from '../lib/fairness/large-work.ts';
import { doInPieces } from '../lib/fairness/steps.ts';
import { describeTexts, minTextBytes } from './replace-texts.ts';
import { splitDataUri, withoutMediaInPieces } from './without-media.ts';

export interface RecordLimit {
  readonly maxBytes: number;
  /** Receives what is recorded in place of each text. */
  readonly onReplaced?: ((description: string) => void) | undefined;
  /** Sizes of texts, each measured once: the prompt is usually one of the texts of the request. */
  readonly sizes: Map<string, number>;
}

/** At most this long: `text: 12345678 bytes, sha256 …`. */
const descriptionBytes = 128;

/**
 * Limits the size of a recorded request: replaces its longest texts by their size and hash until it fits. A request that does
 * not fit without its texts is replaced as a whole.
 */
export async function limitInput(input: JsonObject, limit: RecordLimit): Promise<JsonObject> {
  return fitsSurely(input, limit.maxBytes) ? input : limitTexts(input, limit);
}

export async function limitPrompt(
  prompt: string | undefined,
  limit: RecordLimit,
): Promise<string | undefined> {
  if (prompt === undefined || (await minSizeOf(prompt, limit)) <= limit.maxBytes) return prompt;
  return describeText(prompt);
}

async function limitTexts(input: JsonObject, limit: RecordLimit): Promise<JsonObject> {
  const { maxBytes, sizes, onReplaced } = limit;
  await largeWork.nextPiece();
  const texts = stringsIn(input).filter(mayBeLong);
  let sizeBytes = sizeOf(replaceStrings(input, (text) => (mayBeLong(text) ? '' : text)));
  for (const text of texts) {
    if (!sizes.has(text)) await largeWork.nextPiece();
    sizeBytes += (await minSizeOf(text, limit)) - sizeOf('');
  }
  if (sizeBytes <= maxBytes) return input;
  const replaced = longestTexts(texts, sizes, sizeBytes - maxBytes);
  if (!replaced) {
    const request = await doInPieces(describeTexts('json', joinPieces(jsonPieces(input))));
    onReplaced?.(request);
    return { request };
  }
  const descriptions = new Map<string, string>();
  for (const text of replaced) {
    const description = await (splitDataUri(text) ? withoutMediaInPieces(text) : describeText(text));
    descriptions.set(text, description);
    onReplaced?.(description);
  }
  return replaceStrings(input, (text) => descriptions.get(text) ?? text);
}

/** The longest texts, so that the request shrinks by `excessBytes` without them. Undefined if that is impossible. */
function longestTexts(
  texts: readonly string[],
  sizes: ReadonlyMap<string, number>,
  excessBytes: number,
): ReadonlySet<string> | undefined {
  const sizeOfText = (text: string): number => sizes.get(text) ?? 0;
  const sorted = texts
    .filter((text) => sizeOfText(text) >= minTextBytes)
    .toSorted((a, b) => sizeOfText(b) - sizeOfText(a));
  let remaining = excessBytes;
  for (const last of sorted) {
    remaining -= sizeOfText(last) - descriptionBytes;
    if (remaining <= 0) return new Set(sorted.filter((text) => sizeOfText(text) >= sizeOfText(last)));
  }
  return undefined;
}

/** Whether the text may have the minimum size. */
function mayBeLong(text: string): boolean {
  return text.length * maxBytesPerChar >= minTextBytes;
}

function describeText(text: string): Promise<string> {
  return doInPieces(describeTexts('text', textPieces(text)));
}

/** Size as JSON, as it is recorded. */
function sizeOf(value: Json): number {
  return Buffer.byteLength(stringifyJson(value));
}

/** Size as JSON. Of a text that is longer than the limit in any case: its characters, without reading it. */
async function minSizeOf(text: string, { maxBytes, sizes }: RecordLimit): Promise<number> {
  let bytes = sizes.get(text) ?? (text.length > maxBytes ? text.length : 0);
  if (bytes === 0)
    for (const piece of joinPieces(stringPieces(text))) {
      if (bytes > 0) await largeWork.nextPiece();
      bytes += Buffer.byteLength(piece);
    }
  sizes.set(text, bytes);
  return bytes;
}
