// Words that the filters report without refusing the prompt.
const categories = {
  hate: /\b(hate|hatred)\b/i,
  self_harm: /\b(self[- ]harm)\b/i,
  sexual: /\b(nude|naked|lingerie)\b/i,
  violence: /\b(battle|blood|fight|gun|sword|war|weapon)\b/i,
} as const;

const profanity = /\b(damn|hell|crap)\b/i;

/** The filters' report on an image. */
export function toContentFilterResults(prompt: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(categories).map(([name, words]) => [
      name,
      { filtered: false, severity: words.test(prompt) ? 'low' : 'safe' },
    ]),
  );
}

/** The filters' report on a prompt. */
export function toPromptFilterResults(prompt: string): Record<string, unknown> {
  return {
    ...toContentFilterResults(prompt),
    profanity: { detected: profanity.test(prompt), filtered: false },
  };
}
