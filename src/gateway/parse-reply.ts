import { type Json, parseJson } from '../lib/json.ts';
import { parseInPieces } from '../lib/parse-in-pieces.ts';
import type { Pauses } from '../lib/pauses.ts';

/** Deeper than any valid reply, and small enough for recursive code. */
const maxDepth = 100;

/** Parses JSON from a gateway. @throws SyntaxError if it is invalid or nested more than 100 levels deep */
export function parseReply(text: string): Json {
  return parseShallow(text);
}

function parseShallow(text: string, mayBeWide?: boolean): Json {
  const value = parseJson(text, mayBeWide);
  if (isDeeper(value, maxDepth)) throw new SyntaxError('nested too deeply');
  return value;
}

/** Like `parseReply`. Pauses between the steps of a large reply. @throws SyntaxError */
export function parseReplyInSteps(text: string, pauses: Pauses): Promise<Json> {
  return parseInPieces(text, pauses, parseShallow);
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
