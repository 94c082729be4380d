/**
 * The form in which two spellings of a member's name are equal. Gateways may match names without letter case (Go's JSON
 * decoder does), in Unicode's compatible forms, or as `max_tokens`, `max-tokens` and `maxTokens` alike.
 */
export function memberKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The known name that a gateway may read in place of this one. */
export function findSpelling(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  const key = memberKey(name);
  return known.find((one) => memberKey(one) === key);
}
