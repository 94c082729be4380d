import { RequestError } from '../../errors.ts';
import { hasMoreValues, hasMoreValuesAtOnce } from '../../lib/count-values.ts';
import { type Json, parseRequestJson } from '../../lib/json.ts';
import { largeChars } from '../../lib/json-size.ts';
import { decodePieces, parsePieces } from '../../lib/parse-in-pieces.ts';
import { largeWork } from '../../lib/fairness/large-work.ts';
import { operationLimits } from './operation-limits.ts';

/** Most values in a request. Its variables have a smaller limit of their own. */
const maxValues = 2 * operationLimits.maxVariableValues;

/** Whether a body or message is parsed in pieces. */
export function isLargeRequest(body: readonly Buffer[]): boolean {
  return body.reduce((bytes, { length }) => bytes + length, 0) > largeChars;
}

/**
 * Parses a large body or message in pieces, and takes the bytes out of their list: they are as large as the text. Refuses one
 * with too many values before they are parsed.
 * @throws SyntaxError, or RequestError LIMIT_EXCEEDED
 */
export async function parseLargeRequest(body: Buffer[]): Promise<Json> {
  await largeWork.begin();
  return parsePieces(decodePieces(body), async (text, mayBeWide) => {
    if (await hasMoreValues(text, maxValues)) throw tooManyValues();
    return parseRequestJson(text, mayBeWide);
  });
}

/**
 * Parses a body or message that is not large, when the result is called. Its values are counted first too: a megabyte of nested lists
 * takes twenty times as long to parse as to count.
 * @throws RequestError LIMIT_EXCEEDED; the result throws SyntaxError
 */
export function prepareSmallRequest(text: string): () => Json {
  if (hasMoreValuesAtOnce(text, maxValues)) throw tooManyValues();
  return () => parseRequestJson(text);
}

function tooManyValues(): RequestError {
  return new RequestError(
    'LIMIT_EXCEEDED',
    `The request has more than ${maxValues} values, inside of lists and objects included.`,
  );
}
