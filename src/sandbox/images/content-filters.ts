// Words that make a prompt stand out, though not enough to be refused.
const categories = {
  hate: /\b(hate|hatred)\b/i,
  self_harm: /\b(self[- ]harm)\b/i,
  sexual: /\b(nude|naked|lingerie)\b/i,
  violence: /\b(battle|blood|fight|gun|sword|war|weapon)\b/i,
} as const;

const profanity = /\b(damn|hell|crap)\b/i;

/** What the filters say of an image that passed them. */
export function toContentFilterResults(prompt: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(categories).map(([name, words]) => [
      name,
      { filtered: false, severity: words.test(prompt) ? 'low' : 'safe' },
    ]),
  );
}

/** What the filters say of the prompt of such an image. */
export function toPromptFilterResults(prompt: string): Record<string, unknown> {
  return {
    ...toContentFilterResults(prompt),
    profanity: { detected: profanity.test(prompt), filtered: false },
  };
}
