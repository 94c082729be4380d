import { isList, type Json, parseJson } from '../lib/json.ts';
import { hasMoreValues, hasMoreValuesAtOnce } from '../lib/count-values.ts';
import { largeChars } from '../lib/json-size.ts';
import { parseInPieces } from '../lib/parse-in-pieces.ts';
import { ReplyTooLargeError } from './reply-body.ts';

/** Deeper than any valid reply, and small enough for recursive code. */
const maxDepth = 100;

/** Most values in one document. A document of a million characters cannot have more. */
const maxValues = largeChars / 2;
const tooManyValues = `The reply has more than ${maxValues} values`;

/** Parses JSON from a gateway. @throws SyntaxError if it is invalid, has too many values, or is nested more than 100 levels deep */
export function parseReply(text: string): Json {
  if (text.length > largeChars && hasMoreValuesAtOnce(text, maxValues)) throw new SyntaxError(tooManyValues);
  return parseShallow(text);
}

/** `mayBeWide`: whether the text may contain integers beyond ±2^53. Without it, the parsed numbers decide. */
function parseShallow(text: string, mayBeWide = false): Json {
  const value = parseJson(text, mayBeWide);
  const scan: Scan = { hasWideNumbers: false };
  if (isDeeper(value, maxDepth, scan)) throw new SyntaxError('nested too deeply');
  return scan.hasWideNumbers && !mayBeWide ? parseJson(text, true) : value;
}

/** What one visit of every value finds. */
interface Scan {
  hasWideNumbers: boolean;
}

/** Like `parseReply`. A large reply is divided into pieces. @throws SyntaxError, or ReplyTooLargeError if it has too many values */
export async function parseReplyInSteps(text: string): Promise<Json> {
  return parseInPieces(text, async (rest, mayBeWide) => {
    if (await hasMoreValues(rest, maxValues)) throw new ReplyTooLargeError(tooManyValues);
    return parseShallow(rest, mayBeWide);
  });
}

/** Like `parseReply`, but returns undefined instead of throwing. */
export function tryParseReply(text: string): Json | undefined {
  try {
    return parseReply(text);
  } catch {
    return undefined;
  }
}

/** Visits every value once, which costs a fraction of parsing it. */
function isDeeper(value: Json, levels: number, scan: Scan): boolean {
  if (typeof value === 'number' && !isExact(value)) scan.hasWideNumbers = true;
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (isList(value)) {
    for (const item of value) if (isContainerOrNumber(item) && isDeeper(item, levels - 1, scan)) return true;
    return false;
  }
  // Parsed objects inherit no enumerable members.
  for (const name in value) {
    const member = value[name] ?? null;
    if (isContainerOrNumber(member) && isDeeper(member, levels - 1, scan)) return true;
  }
  return false;
}

/** Most values are strings: skipping them here saves a call. */
function isContainerOrNumber(value: Json): boolean {
  return typeof value === 'object' || typeof value === 'number';
}

/** Whether a parsed number is the one in the text, unless it has a fraction or an exponent. */
function isExact(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;
}
