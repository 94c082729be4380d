import { type Json, mayHaveWideIntegers, parseJson } from '../lib/json.ts';
import { pieceChars } from '../lib/json-size.ts';
import type { Pauses } from '../lib/pauses.ts';

/** Deeper than any valid reply, and small enough for recursive code. */
const maxDepth = 100;

/** Parses JSON from a gateway. @throws SyntaxError if it is invalid or nested more than 100 levels deep */
export function parseReply(text: string): Json {
  const value = parseJson(text);
  if (isDeeper(value, maxDepth)) throw new SyntaxError('nested too deeply');
  return value;
}

/** Like `parseReply`. Pauses between the steps of a large reply. @throws SyntaxError */
export async function parseReplyInSteps(text: string, pauses: Pauses): Promise<Json> {
  if (text.length <= pieceChars) return parseReply(text);
  await pauses.next();
  const mayBeWide = mayHaveWideIntegers(text);
  await pauses.next();
  const value = parseJson(text, mayBeWide);
  await pauses.next();
  if (isDeeper(value, maxDepth)) throw new SyntaxError('nested too deeply');
  return value;
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
function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (isList(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true;
    return false;
  }
  // Parsed objects inherit no enumerable members.
  for (const name in value) if (isDeeper(value[name] ?? null, levels - 1)) return true;
  return false;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
