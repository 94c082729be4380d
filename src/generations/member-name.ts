import { foldText } from '../lib/text.ts';

/**
 * Normalizes the name of a member. Gateways may ignore letter case (Go's JSON decoder does) and Unicode variants, and may
 * treat `max_tokens`, `max-tokens` and `maxTokens` as one name.
 */
export function memberKey(name: string): string {
  return foldText(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Finds the known name that a gateway may take a name for. Prepared once: a request may have as many names as values. */
export function spellingsOf(known: readonly string[]): (name: string) => string | undefined {
  const byKey = new Map(known.toReversed().map((name) => [memberKey(name), name]));
  return (name) => (known.includes(name) ? name : byKey.get(memberKey(name)));
}
