import { RequestError } from '../errors.ts';
import { type Json, parseRequestJson } from '../lib/json.ts';
import { pieceChars } from '../lib/json-size.ts';
import { parseInPieces } from '../lib/parse-in-pieces.ts';
import type { Pauses } from '../lib/pauses.ts';
import { operationLimits } from './operation-limits.ts';

/** Most values in a large request. Its variables have a smaller limit of their own. */
const maxValues = 2 * operationLimits.maxVariableValues;

/** Whether a body or message is parsed in pieces. */
export function isLargeRequest({ length }: Buffer): boolean {
  return length > pieceChars;
}

/**
 * Parses a large body or message, with pauses. Refuses one with too many values before it is parsed, because that takes long
 * and only large strings can be divided.
 * @throws SyntaxError, or RequestError LIMIT_EXCEEDED
 */
export async function parseLargeRequest(body: Buffer, pauses: Pauses): Promise<Json> {
  let scan: Scan = { position: 0, isInString: false, values: 1, hasWideIntegers: false };
  await pauses.begin();
  while (scan.position < body.length) {
    if (scan.position > 0) await pauses.next();
    scan = scanOn(body, scan);
    if (scan.values > maxValues)
      throw new RequestError(
        'LIMIT_EXCEEDED',
        `The request has more than ${maxValues} values, inside of lists and objects included.`,
      );
  }
  await pauses.next();
  const text = body.toString('utf8');
  const { hasWideIntegers } = scan;
  return parseInPieces(text, pauses, (rest) => parseRequestJson(rest, hasWideIntegers));
}

/** State of the search of a JSON document for values and wide integers outside of its strings. */
interface Scan {
  readonly position: number;
  readonly isInString: boolean;
  readonly values: number;
  readonly hasWideIntegers: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];
const [zero, nine] = [0x30, 0x39];
const wideDigits = 16;

/** Scans the next piece. */
function scanOn(body: Buffer, { position, isInString, values, hasWideIntegers }: Scan): Scan {
  const end = Math.min(position + pieceChars, body.length);
  // A number on the border of two pieces belongs to the second.
  let index = position;
  while (!isInString && index > 0 && isDigit(body[index - 1])) index -= 1;
  let digits = 0;
  while (index < end) {
    const byte = body[index];
    if (isInString) {
      const next = body.indexOf(quote, index);
      if (next === -1) return { position: body.length, isInString, values, hasWideIntegers };
      isInString = isEscaped(body, next);
      index = next;
    } else if (isDigit(byte)) {
      digits += 1;
      if (digits === wideDigits) hasWideIntegers = true;
    } else {
      digits = 0;
      if (byte === quote) isInString = true;
      else if (byte === comma || byte === bracket || byte === brace) values += 1;
    }
    index += 1;
  }
  return { position: index, isInString, values, hasWideIntegers };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

/** Whether an odd number of backslashes precedes. */
function isEscaped(body: Buffer, index: number): boolean {
  let first = index;
  while (body[first - 1] === backslash) first -= 1;
  return (index - first) % 2 === 1;
}
