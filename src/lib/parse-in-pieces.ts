import { randomUUID } from 'node:crypto';
import { isEscaped } from './escapes.ts';
import { type Json, mayHaveWideIntegers, parseJson } from './json.ts';
import { largeChars, pieceChars } from './json-size.ts';
import { largeWork } from './fairness/large-work.ts';

/**
 * Like `parseJson`. Parses large strings in pieces, and everything else in one step: large documents mostly
 * consist of a few large strings.
 * @throws SyntaxError
 */
export async function parseInPieces(text: string, parse: ParseJson = parseJson): Promise<Json> {
  if (text.length <= largeChars) return parse(text);
  await largeWork.nextPiece();
  const found = await findLargeStrings(text);
  const prefix = `${randomUUID()} `;
  const strings = new Map<string, string>();
  let rest = '';
  let position = 0;
  for (const [index, { start, end }] of found.entries()) {
    const name = `${prefix}${index}`;
    strings.set(name, await parseString(text, { start, end }));
    rest += `${text.slice(position, start)}${name}`;
    position = end;
  }
  rest += text.slice(position);
  await largeWork.nextPiece();
  const mayBeWide = mayHaveWideIntegers(rest);
  await largeWork.nextPiece();
  const value = parse(rest, mayBeWide);
  return strings.size > 0 ? putBack(value, strings) : value;
}

type ParseJson = (text: string, mayBeWide?: boolean) => Json;

/** The content of a string literal, without its quotes. */
interface Content {
  readonly start: number;
  readonly end: number;
}

/** The large strings that are values. Large names remain where they are. */
async function findLargeStrings(text: string): Promise<readonly Content[]> {
  const found: Content[] = [];
  let nextPause = pieceChars;
  let start = text.indexOf('"') + 1;
  while (start > 0) {
    let end = text.indexOf('"', start);
    while (end !== -1 && isEscaped(text, end, start)) {
      if (end > nextPause) {
        nextPause = end + pieceChars;
        await largeWork.nextPiece();
      }
      end = text.indexOf('"', end + 1);
    }
    // The parser reports an open string.
    if (end === -1) return found;
    if (end - start > pieceChars && !isName(text, end)) found.push({ start, end });
    if (end > nextPause) {
      nextPause = end + pieceChars;
      await largeWork.nextPiece();
    }
    start = text.indexOf('"', end + 1) + 1;
  }
  return found;
}

function isName(text: string, end: number): boolean {
  let index = end + 1;
  while (/\s/.test(text[index] ?? '')) index += 1;
  return text[index] === ':';
}

async function parseString(text: string, { start, end }: Content): Promise<string> {
  let parsed = '';
  for (let position = start; position < end;) {
    await largeWork.nextPiece();
    const cut = Math.min(position + pieceChars, end);
    const pieceEnd = cut === end ? end : endOfPiece(text, cut, position);
    parsed += String(JSON.parse(`"${text.slice(position, pieceEnd)}"`));
    position = pieceEnd;
  }
  return parsed;
}

/** Length of the longest escape sequence, `\u0000`. */
const maxEscapeChars = 6;

/** Moves the end of a piece before an escape sequence that it would divide. */
function endOfPiece(text: string, cut: number, start: number): number {
  const inTail = text.slice(cut - maxEscapeChars, cut).lastIndexOf('\\');
  const last = cut - maxEscapeChars + inTail;
  if (inTail === -1 || isEscaped(text, last, start)) return cut;
  const length = text[last + 1] === 'u' ? maxEscapeChars : 2;
  return last + length <= cut ? cut : last;
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
