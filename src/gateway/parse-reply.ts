import { type Json, parseJson } from '../lib/json.ts';

/** Deeper than any valid reply, and small enough for recursive code. */
const maxDepth = 100;

/** Parses JSON from a gateway. @throws SyntaxError if it is invalid or nested more than 100 levels deep */
export function parseReply(text: string): Json {
  const value = parseJson(text);
  if (mayBeDeep(text) && isDeeper(value, maxDepth)) throw new SyntaxError('nested too deeply');
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

/** Fast pre-check: counts brackets, including those inside strings. Rules out nearly every reply. */
function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
