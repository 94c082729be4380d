import { RequestError } from '../../errors.ts';
import { hasMoreValues } from '../../lib/count-values.ts';
import { type Json, parseRequestJson } from '../../lib/json.ts';
import { largeChars } from '../../lib/json-size.ts';
import { parseInPieces } from '../../lib/parse-in-pieces.ts';
import { largeWork } from '../../lib/fairness/large-work.ts';
import { operationLimits } from './operation-limits.ts';

/** Most values in a large request. Its variables have a smaller limit of their own. */
const maxValues = 2 * operationLimits.maxVariableValues;

/** Whether a body or message, or its text, is parsed in pieces. */
export function isLargeRequest({ length }: Buffer | string): boolean {
  return length > largeChars;
}

/** Decodes a large body or message. Keep no reference to the bytes: they are as large as the text. */
export async function decodeLargeRequest(body: Buffer): Promise<string> {
  await largeWork.begin();
  return body.toString('utf8');
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
