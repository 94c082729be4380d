import type { Hash, Hmac } from 'node:crypto';
import { isLarge, pieceChars } from './json-size.ts';
import { stringifyJson } from './json.ts';
import { endsInHighSurrogate } from './text.ts';
import { largeWork } from './fairness/large-work.ts';

/** JSON text. A large one is in pieces, without a copy of the whole: a message or body can be sent in the same pieces. */
export type JsonText = string | readonly Buffer[];

/** Like `stringifyJson`, for a value that is present. A large value is written in pieces, each after `nextPiece`. */
export async function stringifyInPieces(
  value: unknown,
  nextPiece: () => Promise<void> = () => largeWork.nextPiece(),
): Promise<JsonText> {
  if (!isLarge(value)) return stringifyJson(value);
  const buffers: Buffer[] = [];
  for (const text of joinPieces(jsonPieces(value))) {
    await nextPiece();
    buffers.push(Buffer.from(text));
  }
  return buffers;
}

/** Its length: of a text in characters, of pieces in bytes. */
export function lengthOfJson(text: JsonText): number {
  return typeof text === 'string' ? text.length : text.reduce((sum, { length }) => sum + length, 0);
}

/** Adds texts to a hash. One piece at a time. */
export async function hashInPieces<Hasher extends Hash | Hmac>(
  hasher: Hasher,
  texts: Iterable<string>,
): Promise<Hasher> {
  let isFirst = true;
  for (const text of joinPieces(texts)) {
    if (!isFirst) await largeWork.nextPiece();
    isFirst = false;
    hasher.update(text);
  }
  return hasher;
}

/** The text of `stringifyJson`, with large strings and containers in parts. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (typeof value === 'string') yield* stringPieces(value);
  else if (typeof value !== 'object' || value === null || !isLarge(value)) yield stringifyJson(value);
  else if ('toJSON' in value && typeof value.toJSON === 'function') yield* jsonPieces(value.toJSON());
  else if (Array.isArray(value)) yield* listPieces(value);
  else yield* memberPieces(value);
}

function* listPieces(items: readonly unknown[]): Generator<string, void> {
  yield '[';
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ',';
    yield* jsonPieces(item ?? null);
  }
  yield ']';
}

function* memberPieces(value: object): Generator<string, void> {
  yield '{';
  let separator = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    yield* jsonPieces(member);
  }
  yield '}';
}

/** A string as JSON text. */
export function* stringPieces(text: string): Generator<string, void> {
  if (text.length <= pieceChars) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (const part of textPieces(text)) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}

/** Parts of a text. A surrogate pair stays together. */
export function* textPieces(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + pieceChars, text.length);
    if (end < text.length && endsInHighSurrogate(text, end)) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** Joins short texts into pieces of about the standard size. */
export function* joinPieces(texts: Iterable<string>): Generator<string, void> {
  let joined = '';
  for (const text of texts) {
    joined += text;
    if (joined.length < pieceChars) continue;
    yield joined;
    joined = '';
  }
  if (joined !== '') yield joined;
}
