import { RequestError } from '../../errors.ts';
import { hasMoreValues } from '../../lib/count-values.ts';
import { type Json, parseRequestJson } from '../../lib/json.ts';
import { pieceChars } from '../../lib/json-size.ts';
import { parseInPieces } from '../../lib/parse-in-pieces.ts';
import type { Pauses } from '../../lib/pauses.ts';
import { operationLimits } from './operation-limits.ts';

/** Most values in a large request. Its variables have a smaller limit of their own. */
const maxValues = 2 * operationLimits.maxVariableValues;

/** Whether a body or message is parsed in pieces. */
export function isLargeRequest({ length }: Buffer): boolean {
  return length > pieceChars;
}

/**
 * Parses a large body or message in pieces, with pauses. Refuses one with too many values before it is parsed.
 * @throws SyntaxError, or RequestError LIMIT_EXCEEDED
 */
export async function parseLargeRequest(body: Buffer, pauses: Pauses): Promise<Json> {
  await pauses.begin();
  const text = body.toString('utf8');
  if (await hasMoreValues(text, maxValues, pauses))
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `The request has more than ${maxValues} values, inside of lists and objects included.`,
    );
  return parseInPieces(text, pauses, parseRequestJson);
}
