import { StringDecoder } from 'node:string_decoder';
import { RequestError } from '../../errors.ts';
import { hasMoreValues } from '../../lib/count-values.ts';
import { type Json, parseRequestJson } from '../../lib/json.ts';
import { largeChars, pieceChars } from '../../lib/json-size.ts';
import { parseInPieces } from '../../lib/parse-in-pieces.ts';
import { largeWork } from '../../lib/fairness/large-work.ts';
import { operationLimits } from './operation-limits.ts';

/** Most values in a large request. Its variables have a smaller limit of their own. */
const maxValues = 2 * operationLimits.maxVariableValues;

/** Whether a body or message, or its text, is parsed in pieces. */
export function isLargeRequest({ length }: { readonly length: number }): boolean {
  return length > largeChars;
}

/** Decodes a body or message, a large one in pieces. Keep no reference to its parts: they are as large as the text. */
export function decodeRequest(parts: readonly Buffer[]): string | Promise<string> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (isLargeRequest({ length })) return decodeInPieces(parts);
  const [first] = parts;
  return (first && parts.length === 1 ? first : Buffer.concat(parts, length)).toString('utf8');
}

async function decodeInPieces(parts: readonly Buffer[]): Promise<string> {
  await largeWork.begin();
  const decoder = new StringDecoder('utf8');
  let text = '';
  let undecoded = pieceChars;
  for (const part of parts)
    for (let start = 0; start < part.length; start += pieceChars) {
      const piece = part.subarray(start, start + pieceChars);
      if (undecoded < piece.length) {
        await largeWork.nextPiece();
        undecoded = pieceChars;
      }
      undecoded -= piece.length;
      text += decoder.write(piece);
    }
  return text + decoder.end();
}

/**
 * Parses a large body or message in pieces. Refuses one with too many values before it is parsed.
 * @throws SyntaxError, or RequestError LIMIT_EXCEEDED
 */
export async function parseLargeRequest(text: string): Promise<Json> {
  if (await hasMoreValues(text, maxValues))
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `The request has more than ${maxValues} values, inside of lists and objects included.`,
    );
  return parseInPieces(text, parseRequestJson);
}
