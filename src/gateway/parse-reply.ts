import { type Json, parseJson } from '../lib/json.ts';

/** Deeper than any reply means something, and far from the end of the stack of whoever walks it. */
const maxDepth = 100;

/** JSON from a gateway. @throws SyntaxError when it is none, or is nested more than 100 levels deep */
export function parseReply(text: string): Json {
  const value = parseJson(text);
  if (mayBeDeep(text) && isDeeper(value, maxDepth)) throw new SyntaxError('nested too deeply');
  return value;
}

/** The same, and undefined for what cannot be read. */
export function tryParseReply(text: string): Json | undefined {
  try {
    return parseReply(text);
  } catch {
    return undefined;
  }
}

/** A quick look at the brackets, those in strings included: nearly every reply is told from deep ones by that. */
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
