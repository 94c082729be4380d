import { randomUUID } from 'node:crypto';
import { findStringEnd, isEscaped } from './escapes.ts';
import { largeWork } from './fairness/large-work.ts';
import { type Json, mayHaveWideIntegers, parseJson, stringifyJson } from './json.ts';
import { textPieces } from './json-pieces.ts';
import { largeChars, pieceChars } from './json-size.ts';

/** Parses a document without its large strings. `mayBeWide`: whether it may contain integers beyond ±2^53. */
export type ParseRest = (text: string, mayBeWide?: boolean) => Json | Promise<Json>;

/**
 * Like `parseJson`. Parses large strings in pieces, and everything else in one step: large documents mostly
 * consist of a few large strings.
 * @throws SyntaxError
 */
export async function parseInPieces(text: string, parse: ParseRest = parseJson): Promise<Json> {
  if (text.length <= largeChars) return parse(text);
  await largeWork.nextPiece();
  return parsePieces(textPieces(text), parse);
}

/** Like `parseInPieces`, for a text that comes in pieces: the whole is never in memory. @throws SyntaxError */
export async function parsePieces(texts: Iterable<string>, parse: ParseRest): Promise<Json> {
  const parted = new PartedDocument();
  for (const text of texts) {
    parted.add(text);
    await largeWork.nextPiece();
  }
  const { rest, strings } = parted.end();
  const mayBeWide = mayHaveWideIntegers(rest);
  await largeWork.nextPiece();
  const value = await parse(rest, mayBeWide);
  return strings.size > 0 ? putBack(value, strings) : value;
}

/** The text of bytes in UTF-8, decoded piece by piece. Takes the bytes out of their list. @throws TypeError if they are not */
export function* decodePieces(bytes: Buffer[]): Generator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  let size = 0;
  for (let next = bytes.shift(); next; next = bytes.shift()) {
    for (let start = 0; start < next.length; start += pieceChars) {
      const part = next.subarray(start, start + pieceChars);
      text += decoder.decode(part, { stream: true });
      size += part.length;
      if (size < pieceChars) continue;
      yield text;
      text = '';
      size = 0;
    }
  }
  text += decoder.decode();
  if (text !== '') yield text;
}

/** Divides a document into its large strings, parsed, and the rest. A string is large if its text is in several pieces. */
class PartedDocument {
  readonly #strings = new Map<string, string>();
  readonly #prefix = `${randomUUID()} `;
  /** The document with a placeholder for each large string. */
  #rest = '';
  /** The content so far of a string that began in an earlier piece. */
  #open: string | undefined;
  /** A large string that has ended. What follows decides whether it is a value. */
  #ended: string | undefined;
  /** The beginning of an escape sequence, whose end is in the next piece. */
  #cut = '';

  /** @throws SyntaxError */
  add(piece: string): void {
    let text = this.#cut + piece;
    this.#cut = '';
    if (this.#open !== undefined) {
      const end = findStringEnd(text, 0);
      if (end === -1) return this.#addContent(text);
      this.#ended = this.#open + parseContent(text.slice(0, end));
      this.#open = undefined;
      text = text.slice(end + 1);
    }
    if (this.#ended !== undefined) {
      text = text.replace(/^[ \t\r\n]+/, '');
      if (text === '') return;
      this.#putEnded(text.startsWith(':'));
    }
    const start = findOpenString(text);
    this.#rest += text.slice(0, start);
    if (start === text.length) return;
    this.#open = '';
    this.#addContent(text.slice(start + 1));
  }

  end(): { readonly rest: string; readonly strings: ReadonlyMap<string, string> } {
    if (this.#ended !== undefined) this.#putEnded(false);
    // The parser reports a string without an end.
    if (this.#open !== undefined) this.#rest += '"';
    return { rest: this.#rest, strings: this.#strings };
  }

  #addContent(text: string): void {
    const end = endOfContent(text);
    this.#open += parseContent(text.slice(0, end));
    this.#cut = text.slice(end);
  }

  /** Names remain where they are. */
  #putEnded(isName: boolean): void {
    const content = this.#ended ?? '';
    this.#ended = undefined;
    if (isName) {
      this.#rest += stringifyJson(content);
      return;
    }
    const placeholder = `${this.#prefix}${this.#strings.size}`;
    this.#strings.set(placeholder, content);
    this.#rest += `"${placeholder}"`;
  }
}

/** Position of the quotation mark of the string that has no end in the text, which begins outside of a string. Else its length. */
function findOpenString(text: string): number {
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = findStringEnd(text, start + 1);
    if (end === -1) return start;
    start = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** @throws SyntaxError */
function parseContent(text: string): string {
  return String(JSON.parse(`"${text}"`));
}

/** Length of the longest escape sequence, `\u0000`. */
const maxEscapeChars = 6;

/** The end of the text, or the position of an escape sequence that it does not complete. */
function endOfContent(text: string): number {
  const tail = Math.max(0, text.length - maxEscapeChars);
  const inTail = text.slice(tail).lastIndexOf('\\');
  const last = tail + inTail;
  if (inTail === -1 || isEscaped(text, last)) return text.length;
  const length = text[last + 1] === 'u' ? maxEscapeChars : 2;
  return last + length <= text.length ? text.length : last;
}

/** Replaces the placeholders in a parsed document, which nothing else refers to yet. */
function putBack(value: Json, strings: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return strings.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    const replaced = putBack(member, strings);
    // An assignment to `__proto__` would not create a member.
    if (replaced !== member) Object.defineProperty(value, name, { value: replaced });
  }
  return value;
}
