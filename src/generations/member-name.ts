import { foldText } from '../lib/text.ts';

/**
 * Normalizes the name of a member. Gateways may ignore letter case (Go's JSON decoder does) and Unicode variants, and may
 * treat `max_tokens`, `max-tokens` and `maxTokens` as one name.
 */
export function memberKey(name: string): string {
  return foldText(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The known name that a gateway may take this name for. */
export function findSpelling(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  const key = memberKey(name);
  return known.find((one) => memberKey(one) === key);
}
